import Dispatch
import Foundation
import Synchronization

/// Receives SIGHUP, SIGTERM and SIGINT, in order. A second SIGTERM or SIGINT ends the service at once.
final class Signals: Sendable {
    let received: AsyncStream<Int32>
    // Kept for the lifetime of the program.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private static let isEnding = Atomic(false)
    /// Whether a signal that ends the service has come.
    static var isStopping: Bool { isEnding.load(ordering: .relaxed) }

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        received = stream
        let queue = DispatchQueue(label: "signals")
        sources = [SIGHUP, SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // The status that a shell reports for a program that a signal has ended.
                if number != SIGHUP, Self.isEnding.exchange(true, ordering: .relaxed) { _exit(128 + number) }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }
}
