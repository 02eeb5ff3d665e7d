import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

/// A simulated file, clock and session state, for exploring every sequence of events.
///
/// Loads run when the test says so: they read the file when they begin, and pass the result to the state when they end.
struct LoadingSimulation {
    /// An event of the file.
    enum Event: String, CaseIterable {
        case edit, invalidEdit, repair, delete, recreate, incompleteEdit, clear, attributesOnly, rescan
    }

    /// The content of the file.
    enum File: Equatable {
        case missing
        case text(String)
        case invalid(Int)
        case incomplete(Int)
        /// Without a value.
        case blank
    }

    static let timing = SyncTiming(settlingTime: .milliseconds(100), settlingLimit: .seconds(1))

    private(set) var file = File.text(#"{"n":0}"#)
    private(set) var state: SyncState
    private(set) var now = Instant(nanoseconds: 1_000_000_000)
    private(set) var history = LoadingHistory()
    /// Whether a load was requested and has not ended.
    private(set) var isLoadDue = false
    /// The result of the running load.
    private var loadedResult: LoadResult?
    private var wakeups: [Instant] = []
    private var count = 0
    /// The last valid text, restored by a repair or recreation.
    private var lastGood = #"{"n":0}"#

    init() {
        let defaults = SnapshotStorage(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        state = SyncState(defaults: defaults, timing: Self.timing, at: now)
        perform(state.initialLoadFinished(loadResult))
    }

    /// Changes the file, and notifies the state.
    mutating func handle(_ event: Event) {
        count += 1
        switch event {
        case .edit: write(#"{"n":\#(count)}"#)
        case .invalidEdit: file = .invalid(count)
        case .incompleteEdit: file = .incomplete(count)
        case .clear: file = .blank
        case .repair: write(lastGood)
        case .delete: file = .missing
        case .recreate: if file == .missing { write(lastGood) } else { return }
        case .attributesOnly, .rescan: break
        }
        perform(state.fileChanged(at: now))
    }

    private mutating func write(_ text: String) {
        lastGood = text
        file = .text(text)
    }

    /// Runs the due load, or ends the running load.
    mutating func load() {
        beginLoad()
        endLoad()
    }

    /// Reads the file, if a load is due.
    mutating func beginLoad() {
        if isLoadDue, loadedResult == nil { loadedResult = loadResult }
    }

    mutating func endLoad() {
        guard let loadResult = loadedResult else { return }
        loadedResult = nil
        isLoadDue = false
        perform(state.loadFinished(loadResult, at: now))
    }

    /// Advances the clock, and handles each wake-up exactly at its time.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let wakeup = wakeups.min(), wakeup <= end {
            now = max(now, wakeup)
            wakeups.removeAll { $0 <= now }
            perform(state.timePassed(at: now))
            while isLoadDue { load() }
        }
        now = end
    }

    private mutating func perform(_ effects: [SyncState.Effect]) {
        for effect in effects {
            switch effect {
            case .load(let isExclusive):
                history.check(!isExclusive, "a load was exclusive")
                history.check(!isLoadDue, "two loads at once")
                isLoadDue = true
            case .wake(let moment):
                history.check(moment > now, "a wake-up for a moment that has passed")
                wakeups.append(moment)
            case .save, .failRequests: history.check(false, "a save without a change")
            case .publish(let snapshot): history.published(snapshot as! SnapshotStorage<JSON>)
            case .report(let report): history.reported(report)
            case .free: break
            }
        }
    }

    private var loadResult: LoadResult {
        switch file {
        case .missing: .missing
        case .invalid(let number): .invalid(Self.invalidProblem(number), .permanent)
        case .incomplete(let number): .invalid(Self.incompleteProblem(number), .incomplete)
        case .blank:
            if state.syncBase.acceptsBlankText {
                Self.loadResult(of: "", from: state.syncBase, at: now)
            } else {
                .blank(in: "file")
            }
        case .text(let text):
            // Equal texts are one object here, unlike with a real file; the state must not depend on that.
            Self.loadResult(of: text, from: state.syncBase, at: now)
        }
    }

    private static func loadResult(of text: String, from syncBase: SyncBase, at moment: Instant) -> LoadResult {
        if syncBase.document?.text == text { return .unchanged }
        let reconciler = Reconciler(
            file: "file", decoder: ValidatingDecoder<JSON>(coder: .standard, check: nil), policy: .fileWins)
        var options = JSONDocument.Options()
        options.acceptsBlankText = true
        let document = try! JSONDocument(parsing: text, options: options)
        return .loaded(try! reconciler.reconcile(syncBase, document, at: moment))
    }

    static func invalidProblem(_ number: Int) -> SessionProblem {
        SessionProblem(.value, in: "file", "invalid \(number)")
    }

    static func incompleteProblem(_ number: Int) -> SessionProblem {
        SessionProblem(.syntax, in: "file", "incomplete \(number)")
    }

    /// The expected final status of the content.
    var expectedContent: MirrorStatus.Content {
        switch file {
        case .missing: .missing
        case .text, .blank: .good
        case .invalid(let number): .invalid(Self.invalidProblem(number))
        case .incomplete(let number): .invalid(Self.incompleteProblem(number))
        }
    }
}

/// The observed snapshots and reports, checked as they arrive.
struct LoadingHistory {
    private(set) var snapshots: [SnapshotStorage<JSON>] = []
    private(set) var reports: [MirrorReport] = []
    private(set) var violations: [String] = []
    private var current: SessionProblem?

    mutating func check(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append(violation()) }
    }

    mutating func published(_ snapshot: SnapshotStorage<JSON>) {
        if let before = snapshots.last {
            check(snapshot.version > before.version, "the version number did not grow")
            check(snapshot.json != before.json, "a version changed nothing")
        }
        snapshots.append(snapshot)
    }

    mutating func reported(_ report: MirrorReport) {
        if reports.last == report { violations.append("reported twice: \(report)") }
        reports.append(report)
        switch report {
        case .problem(let problem):
            check(problem != current, "the current problem was reported again")
            current = problem
        case .recovered(let problem):
            check(problem == current, "a recovery from a problem that was not current was reported")
            current = nil
        case .status(let status):
            check(status.content.problem == current, "the status and the reported problems differ")
        }
    }
}
