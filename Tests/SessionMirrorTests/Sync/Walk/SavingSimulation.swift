import DurableFiles
import Locking
import LosslessJSON

@testable import SessionMirror

/// A simulated file, clock, session state and other program, for exploring every sequence of saving events.
///
/// Jobs begin and end when the test says so, so that any event can occur in between. A copy of the simulation
/// continues independently.
struct SavingSimulation {
    /// A requested or running job.
    enum Job {
        case none
        case loadDue(exclusively: Bool)
        case saveDue
        case load(LoadResult, exclusively: Bool)
        case save(SimulatedSave)
    }

    /// How the disk behaves when it is written to.
    enum Disk { case good, full, doubtful, failing }

    static let timing = SyncTiming(settlingTime: .milliseconds(100), settlingLimit: .seconds(1))
    static let text = """
        // kept by hand
        {
          "n": 0, // counted
          "mine": 0,
          "shared": "a",
          "f": "f"
        }

        """

    let program: SimulatedProgram
    let reconciler: Reconciler
    let completions = CompletionQueue()
    var file: SimulatedFile
    var state: SyncState
    var now = Instant(nanoseconds: 1_000_000_000)
    var history = SavingHistory()
    var expectedState = ExpectedState()

    var job = Job.none
    var wakeups: [Instant] = []
    /// The requests that wait for the next save.
    var requests: [SaveRequest] = []
    /// Whether the program is closing the session, and whether the session is closed.
    var isClosing = false
    var isClosed = false

    var disk = Disk.good
    /// The key that another program changes in the version that the next save replaces.
    var heldOpen: String?
    /// Displaced edits that are not in the file yet.
    var displaced: [DisplacedEdit] = []

    /// The text before the last save, which another program may have read.
    var beforeSave: JSONDocument?
    /// The last valid text.
    var lastGood: JSONDocument
    /// When the file was removed, if the state knew it, and since when its content had been suspect.
    var removed: Instant?
    var suspected: Instant?
    var count = 0

    init(isMissing: Bool = false, policy: ConflictPolicy = .fileWins, program: SimulatedProgram = .json) {
        self.program = program
        reconciler = Reconciler(file: "file", decoder: program.decoder, policy: policy)
        lastGood = try! JSONDocument(parsing: Self.text)
        file = SimulatedFile(isMissing ? .missing : .good(lastGood))
        if !isMissing { expectedState.foreign = ExpectedState.foreignKeys(of: lastGood.value) }
        let defaults = program.defaults
        state = SyncState(defaults: defaults, timing: Self.timing, at: now)
        history.published(defaults)
        let loadResult = file.loadResult(from: state.syncBase, by: reconciler, at: now)
        if isMissing { perform(state.initialLoadFinished(loadResult)) } else { begin(loadResult) }
    }

    /// Loads the first version, with which subscribers start.
    private mutating func begin(_ loadResult: LoadResult) {
        history = SavingHistory()
        perform(state.initialLoadFinished(loadResult))
    }

    var memory: JSON { state.snapshot.savedTree }

    mutating func check(_ holds: Bool, _ violation: @autoclosure () -> String) { history.check(holds, violation()) }

    // MARK: Effects

    mutating func perform(_ effects: [SyncState.Effect]) {
        check(!isClosed || effects.isEmpty, "there are effects after closing")
        for effect in effects {
            switch effect {
            case .load(let isExclusive): schedule(.loadDue(exclusively: isExclusive))
            case .save: schedule(.saveDue)
            case .wake(let moment):
                check(moment > now, "a wake-up for a moment that has passed")
                wakeups.append(moment)
            case .publish(let snapshot):
                history.published(snapshot)
                if let unseen = expectedState.unseen, unseen == snapshot.savedTree["shared"] {
                    expectedState.unseen = nil
                }
            case .report(let report): history.reported(report)
            case .failRequests(let error, let requests): fail(requests ?? takeRequests(), error)
            case .free: break
            }
        }
        check(
            history.status == nil || history.status == state.status, "the last reported status is not the current one")
        check(history.newest === state.snapshot, "the last published version is not the one in memory")
    }

    private mutating func schedule(_ next: Job) {
        if case .none = job {} else { check(false, "two jobs at once") }
        job = next
    }

    /// Advances the clock to the next wake-up, if it is not later than `end`.
    mutating func pass(until end: Instant) -> Bool {
        guard let wakeup = wakeups.min(), wakeup <= end else {
            now = end
            return false
        }
        now = max(now, wakeup)
        wakeups.removeAll { $0 <= now }
        perform(state.timePassed(at: now))
        return true
    }
}
