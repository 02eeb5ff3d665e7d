import DurableFiles
import Locking
import LosslessJSON

@testable import SessionMirror

/// A file, a clock, a session's state and a foreigner, all pretended: what the walk of every order of events of saving
/// walks through.
///
/// The jobs that the state asks for begin and end when the walk says so, so that anything can come in between. A copy
/// goes its own way from there.
struct SavingWorld {
    /// What the state has asked for.
    enum Job {
        case none
        case lookDue(alone: Bool)
        case saveDue
        case look(Sight, alone: Bool)
        case save(PretendedSave)
    }

    /// How the disk does when something is written.
    enum Disk { case good, full, doubtful, failing }

    static let patience = MirrorState.Patience(quiet: .milliseconds(100), limit: .seconds(1))
    static let text = """
        // kept by hand
        {
          "n": 0, // counted
          "mine": 0,
          "shared": "a",
          "f": "f"
        }

        """

    let program: PretendedProgram
    let meeting: Meeting
    let mailbox = Mailbox()
    var file: PretendedFile
    var state: MirrorState
    var now = Moment(nanoseconds: 1_000_000_000)
    var history = SavingHistory()
    var ledger = Ledger()

    var job = Job.none
    var alarms: [Moment] = []
    /// Who waits for the next save.
    var requests: [SaveRequest] = []
    /// Whether the program has said that it closes, and whether that is over.
    var isClosing = false
    var isClosed = false

    var disk = Disk.good
    /// The key that somebody changes in the version that the next save replaces.
    var heldOpen: String?
    /// What others wrote that no file has yet.
    var carried: [DisplacedEdit] = []

    /// The text that was there before the last save, which a foreigner may have read.
    var beforeSave: JSONDocument?
    /// The last text that was good.
    var lastGood: JSONDocument
    /// When the file was removed, if the state knew of it, and since when it had looked half written by then.
    var removed: Moment?
    var suspected: Moment?
    var count = 0

    init(isMissing: Bool = false, policy: ConflictPolicy = .fileWins, program: PretendedProgram = .json) {
        self.program = program
        meeting = Meeting(file: "file", understanding: program.understanding, policy: policy)
        lastGood = try! JSONDocument(parsing: Self.text)
        file = PretendedFile(isMissing ? .missing : .good(lastGood))
        if !isMissing { ledger.foreign = Ledger.foreignKeys(of: lastGood.value) }
        let defaults = program.defaults
        state = MirrorState(defaults: defaults, patience: Self.patience, at: now)
        history.published(defaults)
        let sight = file.sight(from: state.standing, by: meeting, at: now)
        if isMissing { take(state.opened(sight)) } else { begin(sight) }
    }

    /// The first version is the first for those who listen, too.
    private mutating func begin(_ sight: Sight) {
        history = SavingHistory()
        take(state.opened(sight))
    }

    var memory: JSON { state.edition.savedTree }

    mutating func check(_ holds: Bool, _ complaint: @autoclosure () -> String) { history.check(holds, complaint()) }

    // MARK: what the state says

    mutating func take(_ effects: [MirrorState.Effect]) {
        check(!isClosed || effects.isEmpty, "something happened after it was closed")
        for effect in effects {
            switch effect {
            case .look(let isAlone): ask(for: .lookDue(alone: isAlone))
            case .save: ask(for: .saveDue)
            case .wake(let moment):
                check(moment > now, "an alarm for a moment that has passed")
                alarms.append(moment)
            case .publish(let edition):
                history.published(edition)
                if ledger.unseen != nil, ledger.unseen == memory["shared"] { ledger.unseen = nil }
            case .report(let report): history.reported(report)
            case .refuse(let error): refuse(error)
            }
        }
        check(history.status == nil || history.status == state.status, "the status told last is not the one that is")
        check(history.newest === state.edition, "the version published last is not the one in memory")
    }

    private mutating func ask(for next: Job) {
        if case .none = job {} else { check(false, "two jobs at once") }
        job = next
    }

    /// Lets time pass until the next alarm, if there is one by then.
    mutating func pass(until end: Moment) -> Bool {
        guard let alarm = alarms.min(), alarm <= end else {
            now = end
            return false
        }
        now = max(now, alarm)
        alarms.removeAll { $0 <= now }
        take(state.timePassed(at: now))
        return true
    }
}
