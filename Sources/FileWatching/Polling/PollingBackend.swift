internal import Locking

/// Checks paths periodically, where the kernel does not report every change.
final class PollingBackend: PathBackend {
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

    let kind = FileWatchBackend.polling
    let fallbackReason: FileWatchReason? = nil
    let descriptor: Int32 = -1
    let deadline: Instant? = nil
    let usage = BackendUsage()
    var isMountTableStale = false
    var hasMore: Bool { !paths.isEmpty && thread.hasChanges }

    var count: Int { paths.count }
    func polls(_ path: PathID) -> Bool { paths.contains(path) }

    func collect(into batch: inout EventBatch) {
        guard !paths.isEmpty else { return }
        for path in thread.takeChanges() { batch.add(path, isDirect: true, needsRearm: true) }
    }

    func arm(_ id: PathID, _ path: String) -> ArmResult {
        let isNew = paths.insert(id).inserted
        let error = thread.insert(id, path)
        hasNoThread = error != 0
        guard error == 0 else {
            return ArmResult(
                isChanged: isNew,
                pollingReason: .system(SystemError(number: error), "the polling thread cannot be created"))
        }
        return ArmResult(isChanged: isNew)
    }

    func remove(_ path: PathID) {
        if paths.remove(path) != nil { thread.remove(path) }
    }

    /// Does nothing: the next check detects changed mounts.
    func mountsChanged(at paths: [[UInt8]], _ table: MountTable, in batch: inout EventBatch) {}

    func restart(isDescriptorLost: Bool) -> FileWatchReason? { nil }

    func performDeferredRemovals(_ now: Instant) {}

    func stop() { thread.removeAll() }
}
