internal import Locking
internal import Synchronization

/// One watched path, as the hub and the one who watches share it.
final class Subscription: Sendable {
    typealias Handler = @Sendable (FileWatchSignal) -> Void

    private struct State {
        /// Nil after cancelling, so that what it holds is released.
        var handler: Handler?
        var status = FileWatchStatus.live
        var backend = FileWatchBackend.polling
        var metrics = FileWatchMetrics()
    }

    private static let last = Atomic<Int>(0)

    let id = PathID(number: Subscription.last.add(1, ordering: .relaxed).newValue)
    /// Absolute.
    let path: String
    let method: FileWatchMethod
    private let state: Lock<State>

    init(_ path: String, _ method: FileWatchMethod, _ handler: @escaping Handler) {
        (self.path, self.method) = (path, method)
        state = Lock(State(handler: handler))
    }

    var status: FileWatchStatus { state.withLock { $0.status } }
    var backend: FileWatchBackend { state.withLock { $0.backend } }
    var metrics: FileWatchMetrics { state.withLock { $0.metrics } }

    /// Returns whether it was not cancelled before. A call of the handler that has begun goes on.
    func cancel() -> Bool {
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        return handler != nil
    }
}

/// What the hub does, on its thread.
extension Subscription {
    func lookAgain() {
        let handler = state.withLock { state in
            if state.handler != nil { state.metrics.signals += 1 }
            return state.handler
        }
        handler?(.lookAgain)
    }

    /// Tells how the path is watched if that is new.
    func tell(_ status: FileWatchStatus, by backend: FileWatchBackend) {
        let handler: Handler? = state.withLock { state in
            state.backend = backend
            guard state.status != status else { return nil }
            state.status = status
            return state.handler
        }
        handler?(.status(status))
    }

    func countRearm() { state.withLock { $0.metrics.rearms += 1 } }

    func count(overflows: Int) { state.withLock { $0.metrics.overflows += overflows } }
}
