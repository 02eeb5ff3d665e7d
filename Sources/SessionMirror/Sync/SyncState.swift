internal import Locking
internal import LosslessJSON

/// The state machine that decides when a session loads and saves its file.
///
/// It is pure: events are past-tense methods with the moment of the event, and return a short list of effects. It reads
/// no file, knows no clock and takes no lock, so that tests can explore every order of events.
///
/// At most one load or save runs at a time. Events during it lead to one more load or save after it. When both are due,
/// they alternate, so that neither waits for more than one of the other. Once the file is left alone and can be read
/// and written, memory and file are equal, whichever events were coalesced, lost or delayed.
struct SyncState: Sendable {
    /// What to do now, in this order.
    enum Effect: Sendable {
        /// Load the file, then call ``SyncState/loadFinished(_:at:)``. If exclusive, updates wait meanwhile.
        case load(exclusively: Bool)
        /// Save, then call ``SyncState/saveSucceeded(_:at:)`` or ``SyncState/saveFailed(_:result:hasWaiters:at:)``.
        case save
        /// Publish the snapshot to readers.
        case publish(AnySnapshotStorage)
        /// Deliver the report to subscribers.
        case report(MirrorReport)
        /// Call ``SyncState/timePassed(at:)`` at that moment.
        case wake(at: Instant)
        /// Fail the requests; nil for all that wait for a save.
        case failRequests(any Error, [SaveRequest]? = nil)
        /// Release a replaced text and tree, outside the lock, because they may be large.
        case free(JSONDocument?, JSON)
    }

    enum Activity { case none, loading, saving }

    /// Invalid content that may be incomplete.
    struct SuspectContent {
        let content: MirrorStatus.Content
        let began: Instant
        /// Whether the text has no value, and counts as an empty object once it has settled.
        let isBlank: Bool
        var wasReloaded = false
    }

    /// Changes in memory that are not saved yet.
    struct Pending {
        let began: Instant
        var latest: Instant
        var isUrgent = false
    }

    /// The last save, if it failed.
    struct FailedSave {
        let problem: SessionProblem
        var attempts: Int
        var nextAttempt: Instant
    }

    let timing: SyncTiming
    /// The path of the file, for messages.
    let file: String
    /// The values that messages must not contain.
    var secrets: JSONSecrets = []
    /// The initial load runs from the beginning; events during it lead to another load.
    var activity = Activity.loading
    var isLoadDue = false
    /// Whether the file was loaded since the last save. Then a due save goes before the next load.
    var hasLoadedSinceSave = true
    var isSaveRequested = false
    /// When requested saves began to find the file unusable although loads do not.
    var disagreementBegan: Instant?
    /// The number of consecutive loads that an update overtook.
    var lostRaces = 0
    var lastFileEvent: Instant
    var suspectContent: SuspectContent?
    /// When to load again without an event, because the current problem may be transient.
    var loadRetry: Instant?
    var pending: Pending?
    /// The changes of requests that are being written.
    var tentativeResult: SaveResult?
    /// Whether an update was built on `tentativeResult`, so that memory has it.
    var isTentativeResultPublished = false
    var failedSave: FailedSave?
    /// The last problem of `failedSave` that was reported.
    var reportedFailure: SessionProblem?
    /// Why the value in memory cannot be written.
    var blocker: SessionProblem?
    /// The last `blocker` that was reported.
    var reportedBlocker: SessionProblem?
    /// The next moment for which a wake-up for saving was requested.
    var saveTimer: Instant?
    var isClosed = false
    /// Whether keys of the file can be unknown.
    var areKeysJudged = true

    var syncBase: SyncBase
    var status: MirrorStatus
    var metrics = MirrorMetrics()

    var snapshot: AnySnapshotStorage { syncBase.snapshot }
    /// The effect that releases the current text and tree, which are about to be replaced.
    var freeOutdated: Effect { .free(syncBase.document, syncBase.baseTree) }
    /// The current problems.
    var problems: [SessionProblem] {
        [status.content.problem, reportedBlocker, reportedFailure, status.fleet?.problem].compactMap(\.self)
    }

    /// Creates the state of a file that is about to be loaded for the first time. The first event must be
    /// ``initialLoadFinished(_:)`` or an event during that load.
    init(
        defaults: AnySnapshotStorage, timing: SyncTiming, ownWrites: OwnWriteLog = OwnWriteLog(), of file: String = "",
        at moment: Instant
    ) {
        (self.timing, self.file) = (timing, file)
        lastFileEvent = moment
        syncBase = SyncBase(
            document: nil, isMissing: true, baseTree: .object([:]), snapshot: defaults, ownWrites: ownWrites,
            isInitial: true, acceptsBlankText: true)
        status = MirrorStatus(watching: .live, content: .missing)
    }
}

/// The delays of a session; see ``SessionOptions``.
struct SyncTiming: Sendable {
    /// How long invalid content must stay unchanged before it is reported.
    var settlingTime: Duration
    var settlingLimit: Duration
    /// How long after the last change pending changes are saved.
    var savingDelay = Duration.milliseconds(250)
    var savingLimit = Duration.seconds(2)
}
