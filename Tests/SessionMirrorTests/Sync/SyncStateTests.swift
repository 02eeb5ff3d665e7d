import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("Decisions about loading") struct SyncStateTests {
    private let justBefore = Duration.milliseconds(100) - .nanoseconds(1)

    @Test("Incomplete content is rejected exactly after the settling time without events")
    func settling() {
        var simulation = LoadingSimulation()
        simulation.handle(.incompleteEdit)
        simulation.load()
        simulation.wait(justBefore)
        #expect(simulation.history.reports.isEmpty)
        simulation.wait(.nanoseconds(1))
        #expect(simulation.history.reports.first == .problem(LoadingSimulation.incompleteProblem(1)))
    }

    @Test("Each further event restarts the settling time")
    func settlingAnew() {
        var simulation = LoadingSimulation()
        for _ in 1...5 {
            simulation.handle(.incompleteEdit)
            simulation.load()
            simulation.wait(justBefore)
        }
        #expect(simulation.history.reports.isEmpty)
        simulation.wait(.nanoseconds(1))
        #expect(simulation.history.reports.first == .problem(LoadingSimulation.incompleteProblem(5)))
    }

    @Test("Content that never settles is rejected at the settling limit")
    func settlingLimit() {
        var simulation = LoadingSimulation()
        for _ in 1...20 {
            simulation.handle(.incompleteEdit)
            simulation.load()
            simulation.wait(.milliseconds(50) - .nanoseconds(1))
        }
        #expect(simulation.history.reports.isEmpty)
        simulation.wait(.nanoseconds(20))
        #expect(simulation.history.reports.first == .problem(LoadingSimulation.incompleteProblem(20)))
    }

    @Test("A file that keeps growing is rejected once at the settling limit and once when it settles")
    func growing() {
        var simulation = LoadingSimulation()
        for _ in 1...200 {
            simulation.handle(.incompleteEdit)
            simulation.load()
            simulation.wait(.milliseconds(50))
        }
        #expect(simulation.state.metrics.rejectedLoads == 1)
        simulation.wait(.seconds(2))
        #expect(simulation.state.metrics.rejectedLoads == 2)
        #expect(simulation.history.reports.last?.status?.content == .invalid(LoadingSimulation.incompleteProblem(200)))
    }

    @Test("Content that is completed within the settling time is published without a report")
    func finished() {
        var simulation = LoadingSimulation()
        simulation.handle(.incompleteEdit)
        simulation.load()
        simulation.wait(justBefore)
        simulation.handle(.edit)
        simulation.load()
        simulation.wait(.seconds(2))
        #expect(simulation.history.reports.isEmpty)
        #expect(simulation.history.snapshots.last?.json == ["n": 2])
    }

    @Test("A file that is missing for less than the settling time is not reported")
    func missingBriefly() {
        var simulation = LoadingSimulation()
        simulation.handle(.delete)
        simulation.load()
        simulation.wait(justBefore)
        simulation.handle(.recreate)
        simulation.load()
        simulation.wait(.seconds(2))
        #expect(simulation.history.reports.isEmpty)
        #expect(simulation.history.snapshots.count == 1)
    }

    @Test("An invalid value in a complete text is reported at once")
    func invalidValue() {
        var simulation = LoadingSimulation()
        simulation.handle(.invalidEdit)
        simulation.load()
        let status = MirrorStatus(watching: .live, content: .invalid(LoadingSimulation.invalidProblem(1)))
        #expect(simulation.history.reports == [.problem(LoadingSimulation.invalidProblem(1)), .status(status)])
    }

    @Test("A different error is reported, and the same error is not reported again")
    func invalidValues() {
        var simulation = LoadingSimulation()
        simulation.handle(.invalidEdit)
        simulation.load()
        simulation.handle(.attributesOnly)
        simulation.load()
        #expect(simulation.history.reports.count == 2)
        simulation.handle(.invalidEdit)
        simulation.load()
        #expect(simulation.history.reports[2...].first == .problem(LoadingSimulation.invalidProblem(3)))
        #expect(simulation.state.metrics.rejectedLoads == 2)
    }

    @Test("A repair publishes a version and is reported as a recovery")
    func recovery() {
        var simulation = LoadingSimulation()
        simulation.handle(.invalidEdit)
        simulation.load()
        simulation.handle(.edit)
        simulation.load()
        #expect(simulation.history.reports[2] == .recovered(LoadingSimulation.invalidProblem(1)))
        #expect(simulation.history.reports[3] == .status(MirrorStatus(watching: .live, content: .good)))
        #expect(simulation.history.reports.count == 4)
        #expect(simulation.state.snapshot.version.number == 2)
        #expect(simulation.state.snapshot.origin == .external)
    }

    @Test("Any number of events during a load leads to one more load")
    func coalescing() {
        var simulation = LoadingSimulation()
        for _ in 1...10 { simulation.handle(.edit) }
        simulation.load()
        #expect(simulation.isLoadDue)
        simulation.load()
        #expect(!simulation.isLoadDue)
        #expect(simulation.history.snapshots.count == 2)
        #expect(simulation.history.snapshots.last?.json == ["n": 10])
    }

    @Test("A transient problem is retried every second without events until it has passed")
    func passing() {
        var state = LoadingSimulation().state
        var now = Instant(nanoseconds: 2_000_000_000)
        let busy = SessionProblem(.unreadable, in: "file", "busy")
        _ = state.fileChanged(at: now)
        _ = state.loadFinished(.invalid(busy, .transient), at: now)
        #expect(state.timePassed(at: now + .milliseconds(100)).count == 2)
        #expect(state.status.content == .invalid(busy))
        for _ in 1...3 {
            #expect(state.timePassed(at: now + .nanoseconds(999_999_999)).isEmpty)
            now = now + .seconds(1)
            guard case .load? = state.timePassed(at: now).first else {
                Issue.record("the file is not loaded")
                return
            }
            _ = state.loadFinished(.invalid(busy, .transient), at: now)
        }
        now = now + .seconds(1)
        _ = state.timePassed(at: now)
        _ = state.loadFinished(.unchanged, at: now)
        #expect(state.status.content == .good)
        #expect(state.timePassed(at: now + .seconds(5)).isEmpty)
    }

    @Test("Events during the initial load lead to one more load after it") func initialLoad() {
        let moment = Instant(nanoseconds: 1_000_000_000)
        let defaults = SnapshotStorage(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        var state = SyncState(
            defaults: defaults, timing: .init(settlingTime: .milliseconds(100), settlingLimit: .seconds(1)), at: moment)
        #expect(state.fileChanged(at: moment).isEmpty)
        let problem = SessionProblem(.value, in: "file", "invalid")
        guard case .load? = state.initialLoadFinished(.invalid(problem, .permanent)).last else {
            Issue.record("the file is not loaded again")
            return
        }
        #expect(state.loadFinished(.invalid(problem, .permanent), at: moment).isEmpty)
        #expect(state.metrics.rejectedLoads == 1)
    }

    @Test("A closed state ignores all events")
    func closed() {
        var state = LoadingSimulation().state
        let moment = Instant(nanoseconds: 2_000_000_000)
        #expect(state.closed().count == 2)
        #expect(state.status.watching == .notWatching)
        #expect(state.fileChanged(at: moment).isEmpty)
        #expect(state.loadFinished(.missing, at: moment).isEmpty)
        #expect(state.timePassed(at: moment + .seconds(5)).isEmpty)
        #expect(state.watchingChanged(to: .live).isEmpty)
        #expect(state.closed().isEmpty)
    }

    @Test("A request whose save fails after closing fails with `closed`")
    func closedDuringSave() {
        var state = LoadingSimulation().state
        let moment = Instant(nanoseconds: 2_000_000_000)
        guard case .save? = state.saveRequested(at: moment).last else {
            Issue.record("no save is started")
            return
        }
        _ = state.closed()
        let effects = state.saveFailed(.unusableFile(.missing), hasWaiters: true, at: moment)
        guard case .failRequests(let error as SessionError, nil)? = effects.last else {
            Issue.record("the request does not fail")
            return
        }
        #expect(error.code == .closed)
    }

    @Test("A requested save fails after a minute in which saves find the file missing and loads do not")
    func disagreement() {
        var state = LoadingSimulation().state
        let began = Instant(nanoseconds: 2_000_000_000)
        var effects = state.saveRequested(at: began)
        for second in 0...60 {
            let moment = began + .seconds(second)
            guard case .save? = effects.last else {
                Issue.record("no save after \(second) s")
                return
            }
            effects = state.saveFailed(.unusableFile(.missing), hasWaiters: true, at: moment)
            #expect(effects.contains { $0.requestError?.code == .timedOut } == (second == 60), "after \(second) s")
            // Another program has created the file again.
            _ = state.fileChanged(at: moment)
            effects = state.loadFinished(.unchanged, at: moment + .milliseconds(500))
        }
    }
}

extension SyncState.Effect {
    fileprivate var requestError: SessionError? {
        if case .failRequests(let error, _) = self { error as? SessionError } else { nil }
    }
}
