internal import Glibc
internal import Locking
internal import Synchronization

/// One watched path, shared by a ``FileWatch`` and the ``WatchService``.
final class WatchRegistration: Sendable {
    typealias Handler = @Sendable (FileWatchSignal) -> Void

    private struct State {
        /// Nil after cancellation, which releases what the handler captures.
        var handler: Handler?
        var status = FileWatchStatus.live
        var backend = FileWatchBackend.polling
        var metrics = FileWatchMetrics()
    }

    private static let last = Atomic<Int>(0)

    let id = PathID(number: WatchRegistration.last.add(1, ordering: .relaxed).newValue)
    /// An absolute path.
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

    /// Removes the handler; a call that has begun continues. Returns false if it was removed before.
    func cancel() -> Bool {
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        return handler != nil
    }
}

/// Called by the service on its thread.
extension WatchRegistration {
    /// Calls the handler with ``FileWatchSignal/mayHaveChanged``.
    func reportChange() {
        let handler = state.withLock { state in
            if state.handler != nil { state.metrics.signals += 1 }
            return state.handler
        }
        handler?(.mayHaveChanged)
    }

    /// Stores the status and backend, and calls the handler if the status is new.
    func setStatus(_ status: FileWatchStatus, backend: FileWatchBackend) {
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

    /// Whether the path can no longer be resolved to its end.
    ///
    /// The kernel reports no event when a directory loses its search permission, because permissions of directories are
    /// not watched while all else is well. Events of the file itself still arrive, and each of them is an opportunity
    /// to detect this and to watch the permissions.
    var isUnreachable: Bool {
        var status = stat()
        return stat(path, &status) != 0
    }
}
