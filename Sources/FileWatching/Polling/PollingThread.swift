internal import Locking

/// The thread that checks polled paths. It is separate from the watching thread: a server that does not respond may
/// block it for hours, while local files are still watched.
///
/// The thread runs while there are paths to check.
final class PollingThread: Sendable {
    static let threadName = "FilePolling"

    private struct State {
        var paths: [PathID: PolledPath<FileStatusSample>] = [:]
        var changes: [PathID] = []
        var isRunning = false
        /// Whether the thread was woken and has not read the state since.
        var isWoken = false
    }

    private let state = Lock(State())
    private let semaphore = CountingSemaphore()
    private let interval: Int64
    /// Called on the polling thread when there are changes.
    private let notify: @Sendable () -> Void

    init(interval: Int64, notify: @escaping @Sendable () -> Void) {
        (self.interval, self.notify) = (interval, notify)
    }

    var hasChanges: Bool { state.withLock { !$0.changes.isEmpty } }

    func takeChanges() -> [PathID] {
        state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
    }

    /// Begins to check a path. Returns 0, or the error number if no thread can be created; then the call must be
    /// repeated.
    func insert(_ id: PathID, _ path: String) -> Int32 {
        let mustStart = state.withLock { state in
            if state.paths[id] == nil {
                state.paths[id] = PolledPath(path, .now, interval: interval)
            }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart {
            let error = SignalBlockingThread.start(named: Self.threadName) { self.run() }
            if error != 0 { state.withLock { $0.isRunning = false } }
            return error
        }
        wake()
        return 0
    }

    func remove(_ id: PathID) {
        let isLast = state.withLock { state in state.paths.removeValue(forKey: id) != nil && state.paths.isEmpty }
        if isLast { wake() }
    }

    func removeAll() {
        state.withLock { ($0.paths, $0.changes) = ([:], []) }
        wake()
    }

    /// Makes the thread read the state again, once for all changes of it until then.
    private func wake() {
        let isNeeded = state.withLock { state in
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isNeeded { semaphore.signal() }
    }

    private func run() {
        while let due = nextDue() {
            let now = Instant.now
            if now < due { semaphore.wait(until: due) } else { check(now) }
        }
    }

    /// Returns the time of the next check; nil when no path is left and the thread must end.
    private func nextDue() -> Instant? {
        state.withLock { state in
            let due = state.paths.values.reduce(nil as Instant?) { min($0 ?? $1.due, $1.due) }
            state.isWoken = false
            if due == nil { state.isRunning = false }
            return due
        }
    }

    private func check(_ now: Instant) {
        let paths = state.withLock { state in
            state.paths.compactMap { $1.due <= now ? (id: $0, path: $1.path, last: $1.last) : nil }
        }
        for (id, path, last) in paths {
            let sample = FileStatusSample(path, after: last)
            // Not after the loop: the next path may be on a server that does not respond.
            if record(sample, id) { notify() }
        }
    }

    /// Records a sample and returns whether it is the first change since the last `takeChanges()`.
    private func record(_ sample: FileStatusSample, _ id: PathID) -> Bool {
        state.withLock { state in
            // The path may have been removed meanwhile.
            guard state.paths[id]?.record(sample, .now) == true else { return false }
            state.changes.append(id)
            return state.changes.count == 1
        }
    }
}
