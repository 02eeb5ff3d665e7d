import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

/// Tests of the real kernel with the shared service of the process. They run one at a time.
@Suite(.serialized) struct KernelTests {}

/// A watch and the signals that its handler has received.
final class WatchedFile: Sendable {
    private let log = Lock<[FileWatchSignal]>([])
    private let service: WatchService
    let watch: FileWatch

    init(_ path: String, method: FileWatchMethod = .automatic, by service: WatchService = .shared) throws {
        self.service = service
        watch = try FileWatch(path, method: method, service: service) { [log] signal in
            log.withLock { $0.append(signal) }
        }
    }

    // Copied under the lock: the thread sanitizer does not see the synchronization of an array's reference count.
    var signals: [FileWatchSignal] { log.withLock { $0.map { $0 } } }
    var changeCount: Int { log.withLock { $0.count { $0 == .mayHaveChanged } } }
    var isLive: Bool { watch.status == .live }
    /// Why the file is polled; nil while it is live.
    var reason: FileWatchReason.Code? {
        if case .polling(let reason) = watch.status { reason.code } else { nil }
    }

    /// Performs an action, and waits until a change is reported and the service has finished its reaction.
    func expectChange(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ action: () throws -> Void
    ) rethrows {
        let before = changeCount
        try action()
        eventually("a change after \(what)", sourceLocation: sourceLocation) { changeCount > before }
        settle()
    }

    /// Performs an action and checks that no change is reported.
    func expectSilence(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ action: () throws -> Void
    ) rethrows {
        settle()
        let before = changeCount
        try action()
        settle()
        #expect(changeCount == before, "a change after \(what)", sourceLocation: sourceLocation)
    }

    /// Waits until the service has handled everything that has happened: the kernel queues an event before the call
    /// that causes it returns, and the service empties the queue before it runs a request.
    func settle() {
        for _ in 0..<3 { service.perform { _ in } }
        eventually("no rearm is pending", within: .seconds(5)) { service.perform { !$0.hasDeferredRearms } }
    }
}
