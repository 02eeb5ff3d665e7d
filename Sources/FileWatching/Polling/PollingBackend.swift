internal import Locking

/// Checks paths periodically, where the kernel does not report every change.
final class PollingBackend {
    private let thread: PollingThread
    private var paths: Set<PathID> = []
    /// Whether the polling thread could not be created.
    private(set) var hasNoThread = false

    /// Creates the backend; its thread starts with the first path.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks of an unchanged path, in nanoseconds.
    ///   - notify: Called on the polling thread when there is something to collect.
    init(interval: Int64, notify: @escaping @Sendable () -> Void) {
        thread = PollingThread(interval: interval, notify: notify)
    }

    /// Whether there is something to collect.
    var hasMore: Bool { !paths.isEmpty && thread.hasChanges }

    var count: Int { paths.count }
    func polls(_ path: PathID) -> Bool { paths.contains(path) }

    func collect(into batch: inout EventBatch) {
        guard !paths.isEmpty else { return }
        for path in thread.takeChanges() { batch.add(path, isDirect: true, needsRearm: true) }
    }

    /// Begins to check a path, unless it is checked already.
    func add(_ id: PathID, _ path: String) {
        paths.insert(id)
        hasNoThread = thread.insert(id, path) != 0
    }

    func remove(_ path: PathID) {
        if paths.remove(path) != nil { thread.remove(path) }
    }

    func stop() { thread.removeAll() }
}
