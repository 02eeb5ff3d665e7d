internal import Locking

/// What the hub needs from a way of watching paths. Only whoever runs the hub's loop touches it.
protocol PathBackend: AnyObject {
    var kind: FileWatchBackend { get }

    /// Why it works in another way than it should; nil when all is as it should be.
    var detour: FileWatchReason? { get }

    /// What to poll for news; -1 if there is nothing to poll.
    var descriptor: Int32 { get }

    /// Whether there may be news that polling would not tell of.
    var hasMore: Bool { get }

    /// When it wants to be called without any news.
    var deadline: Moment? { get }

    var load: BackendLoad { get }

    /// Notes the news of now in `batch`.
    func collect(into batch: inout Batch)

    /// Watches whatever the path leads through now, instead of what it led through before.
    func follow(_ path: PathID, _ text: String) -> Following

    func forget(_ path: PathID)

    /// Mounts have changed, and something else is mounted at these paths than before: notes in `batch` what that concerns.
    func mountsChanged(at places: [[UInt8]], _ table: MountTable, in batch: inout Batch)

    /// Whether it has met something that does not agree with the mounts.
    var areMountsDoubtful: Bool { get set }

    /// Drops every watch and begins anew, with nothing followed; `isLost` when somebody has closed its descriptor. What
    /// went wrong, if it did.
    func startOver(isLost: Bool) -> FileWatchReason?

    /// Does what was put off, if its time has come.
    func settle(_ now: Moment)

    func stop()
}

/// What came of following a path.
struct Following: Sendable {
    /// Whether something else is watched than before: what happened in between went unseen.
    var isNew = false
    /// Why changes may go unseen.
    var trouble: FileWatchReason?
    /// The kernel's watches are not those that were noted; only starting over helps.
    var isConfused = false
}

/// How much a backend holds.
struct BackendLoad: Equatable, Sendable {
    var kernelWatches = 0
    var staleRecords = 0
}
