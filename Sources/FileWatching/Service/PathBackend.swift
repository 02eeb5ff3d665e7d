internal import Locking

/// A way to watch paths, as the watch loop uses it. Only the thread that runs the loop calls it.
protocol PathBackend: AnyObject {
    var kind: FileWatchBackend { get }

    /// Why the preferred implementation is not used; nil if it is.
    var fallbackReason: FileWatchReason? { get }

    /// The descriptor to poll for events; -1 if there is none.
    var descriptor: Int32 { get }

    /// Whether there may be events that the descriptor does not show.
    var hasMore: Bool { get }

    /// When the backend must be called even without events.
    var deadline: Instant? { get }

    var usage: BackendUsage { get }

    /// Adds the pending events to `batch`.
    func collect(into batch: inout EventBatch)

    /// Watches what the path leads through now, instead of what it led through before.
    func arm(_ id: PathID, _ path: String) -> ArmResult

    func remove(_ path: PathID)

    /// Adds to `batch` the paths that are affected by changed mounts.
    ///
    /// - Parameter paths: The mount points where another file system is mounted than before, or none.
    func mountsChanged(at paths: [[UInt8]], _ table: MountTable, in batch: inout EventBatch)

    /// Whether the backend has found something that disagrees with the mount table.
    var isMountTableStale: Bool { get set }

    /// Drops all watches and starts again with no path armed. Returns the reason if that fails.
    ///
    /// - Parameter isDescriptorLost: Whether other code has closed the descriptor.
    func restart(isDescriptorLost: Bool) -> FileWatchReason?

    /// Performs deferred removals that are due.
    func performDeferredRemovals(_ now: Instant)

    func stop()
}

/// The result of arming a path.
struct ArmResult: Sendable {
    /// Whether other inodes are watched than before. Changes in between were not observed.
    var isChanged = false
    /// Why changes may go undetected, so that the path must be polled; nil if inotify reports all of them.
    var pollingReason: FileWatchReason?
    /// Whether the kernel's watches differ from the recorded ones. Only a restart repairs that.
    var needsRestart = false
}

/// The resources that a backend holds.
struct BackendUsage: Equatable, Sendable {
    var kernelWatches = 0
    var staleRecords = 0
}
