internal import Locking
internal import LosslessJSON

/// What a session knows of its file, and decides when something happens.
///
/// Pure: events come in as past-tense methods with the moment they happened at, a short list of effects comes out. It
/// reads no file, knows no clock and takes no lock, so that every order of events can be walked in tests.
///
/// One look at the file or one save is under way at most. Whatever happens meanwhile leads to one more after it, so that
/// in the end memory and file are the same, whichever events were merged, lost or late.
struct MirrorState: Sendable {
    /// How long things are waited for.
    struct Patience: Sendable {
        /// Until content counts as finished.
        var quiet: Duration
        var limit: Duration
        /// Until changes are saved.
        var savingQuiet = Duration.milliseconds(250)
        var savingLimit = Duration.seconds(2)
    }

    /// What is to be done now, in this order.
    enum Effect: Sendable {
        /// Read the file, then say ``MirrorState/looked(_:at:)``; without any update meanwhile if alone.
        case look(alone: Bool)
        /// Write the file, then say ``MirrorState/saved(_:at:)`` or ``MirrorState/didNotSave(_:having:isWaitedFor:at:)``.
        case save
        /// Make it what readers read.
        case publish(AnyEdition)
        /// Tell those who listen.
        case report(MirrorReport)
        /// Say ``MirrorState/timePassed(at:)`` at that moment.
        case wake(at: Moment)
        /// Tell those who wait for a save that there is none.
        case refuse(any Error)
    }

    enum Work { case none, looking, saving }

    /// Content that is no good, and may be unfinished.
    struct Suspicion {
        let content: MirrorStatus.Content
        let began: Moment
        var isLookedAtAgain = false
    }

    /// What memory has and the file has not.
    struct Pending {
        let began: Moment
        var latest: Moment
        var isUrgent = false
    }

    /// A save that did not work.
    struct Failure {
        let problem: Problem
        var times: Int
        var next: Moment
    }

    let patience: Patience
    /// The first look is under way from the beginning: what happens meanwhile leads to another one after it.
    var work = Work.looking
    var isLookDue = false
    var isSaveWanted = false
    /// How often memory had changed before a look was over.
    var lostRaces = 0
    var lastSignal: Moment
    var suspicion: Suspicion?
    /// When to look again by ourselves, because what stands may pass without a signal.
    var retry: Moment?
    var pending: Pending?
    var failure: Failure?
    /// The problem of it that was told last.
    var lastFailure: Problem?
    /// What memory has cannot be written, or must not.
    var obstacle: Problem?
    /// The one that was told last.
    var lastObstacle: Problem?
    /// When the next alarm for saving rings.
    var alarm: Moment?
    var isClosed = false

    var standing: Standing
    var status: MirrorStatus
    var metrics = MirrorMetrics()

    var edition: AnyEdition { standing.edition }
    /// What is the matter now.
    var problems: [Problem] { [status.content.problem, lastObstacle, lastFailure].compactMap(\.self) }
    /// The last good text of the file.
    var base: JSONDocument? { standing.document }

    /// A file that is about to be looked at for the first time: ``opened(_:)`` comes next.
    init(defaults: AnyEdition, patience: Patience, own: OwnValues = OwnValues(), at moment: Moment) {
        self.patience = patience
        lastSignal = moment
        standing = Standing(
            document: nil, isMissing: true, common: .object([:]), edition: defaults, own: own, isNew: true)
        status = MirrorStatus(watching: .live, content: .missing)
    }
}
