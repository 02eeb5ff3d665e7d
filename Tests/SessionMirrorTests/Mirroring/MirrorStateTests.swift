import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("What the mirror decides") struct MirrorStateTests {
    private let justBefore = Duration.milliseconds(100) - .nanoseconds(1)

    @Test("unfinished content counts as refused exactly when its writer has left it alone for the settling time")
    func settling() {
        var world = WalkedWorld()
        world.happen(.halfWritten)
        world.look()
        world.wait(justBefore)
        #expect(world.history.reports.isEmpty)
        world.wait(.nanoseconds(1))
        #expect(world.history.reports.first == .problem(WalkedWorld.half(1)))
    }

    @Test("each further event begins the settling time anew")
    func settlingAnew() {
        var world = WalkedWorld()
        for _ in 1...5 {
            world.happen(.halfWritten)
            world.look()
            world.wait(justBefore)
        }
        #expect(world.history.reports.isEmpty)
        world.wait(.nanoseconds(1))
        #expect(world.history.reports.first == .problem(WalkedWorld.half(5)))
    }

    @Test("content that never settles counts as refused at the limit")
    func settlingLimit() {
        var world = WalkedWorld()
        for _ in 1...20 {
            world.happen(.halfWritten)
            world.look()
            world.wait(.milliseconds(50) - .nanoseconds(1))
        }
        #expect(world.history.reports.isEmpty)
        world.wait(.nanoseconds(20))
        #expect(world.history.reports.first == .problem(WalkedWorld.half(20)))
    }

    @Test("a file that grows for minutes is told of at the limit and once more when it rests, not every second")
    func growing() {
        var world = WalkedWorld()
        for _ in 1...200 {
            world.happen(.halfWritten)
            world.look()
            world.wait(.milliseconds(50))
        }
        #expect(world.state.metrics.refusals == 1)
        world.wait(.seconds(2))
        #expect(world.state.metrics.refusals == 2)
        #expect(world.history.reports.last?.status?.content == .invalid(WalkedWorld.half(200)))
    }

    @Test("content that is finished after all is mirrored, and nothing was ever wrong")
    func finished() {
        var world = WalkedWorld()
        world.happen(.halfWritten)
        world.look()
        world.wait(justBefore)
        world.happen(.edit)
        world.look()
        world.wait(.seconds(2))
        #expect(world.history.reports.isEmpty)
        #expect(world.history.editions.last?.json == ["n": 2])
    }

    @Test("a file that is gone for a moment, as when an editor replaces it, was never missing")
    func editorsDance() {
        var world = WalkedWorld()
        world.happen(.delete)
        world.look()
        world.wait(justBefore)
        world.happen(.recreate)
        world.look()
        world.wait(.seconds(2))
        #expect(world.history.reports.isEmpty)
        #expect(world.history.editions.count == 1)
    }

    @Test("a wrong value is told at once: its text is whole")
    func mistake() {
        var world = WalkedWorld()
        world.happen(.invalidEdit)
        world.look()
        let status = MirrorStatus(watching: .live, content: .invalid(WalkedWorld.mistake(1)))
        #expect(world.history.reports == [.problem(WalkedWorld.mistake(1)), .status(status)])
    }

    @Test("another mistake is told, the same is not")
    func mistakes() {
        var world = WalkedWorld()
        world.happen(.invalidEdit)
        world.look()
        world.happen(.attributesOnly)
        world.look()
        #expect(world.history.reports.count == 2)
        world.happen(.invalidEdit)
        world.look()
        #expect(world.history.reports[2...].first == .problem(WalkedWorld.mistake(3)))
        #expect(world.state.metrics.refusals == 2)
    }

    @Test("recovery is told after the version that brought it")
    func recovery() {
        var world = WalkedWorld()
        world.happen(.invalidEdit)
        world.look()
        world.happen(.edit)
        world.look()
        #expect(world.history.reports[2] == .recovered(WalkedWorld.mistake(1)))
        #expect(world.history.reports[3] == .status(MirrorStatus(watching: .live, content: .good)))
        #expect(world.history.reports.count == 4)
        #expect(world.state.edition.version.number == 2)
        #expect(world.state.edition.origin == .external)
    }

    @Test("events during a look lead to one more look, however many they were")
    func coalescing() {
        var world = WalkedWorld()
        for _ in 1...10 { world.happen(.edit) }
        world.look()
        #expect(world.isLookDue)
        world.look()
        #expect(!world.isLookDue)
        #expect(world.history.editions.count == 2)
        #expect(world.history.editions.last?.json == ["n": 10])
    }

    @Test("what may pass by itself is looked at again each second, without any event, until it has passed")
    func passing() {
        var state = WalkedWorld().state
        var now = Moment(nanoseconds: 2_000_000_000)
        let busy = Problem(.unreadable, "file", "busy")
        _ = state.signalled(at: now)
        _ = state.looked(.refused(busy, .passing), at: now)
        #expect(state.timePassed(at: now + .milliseconds(100)).count == 2)
        #expect(state.status.content == .invalid(busy))
        for _ in 1...3 {
            #expect(state.timePassed(at: now + .nanoseconds(999_999_999)).isEmpty)
            now = now + .seconds(1)
            guard case .look? = state.timePassed(at: now).first else {
                Issue.record("it is not looked at")
                return
            }
            _ = state.looked(.refused(busy, .passing), at: now)
        }
        now = now + .seconds(1)
        _ = state.timePassed(at: now)
        _ = state.looked(.same, at: now)
        #expect(state.status.content == .good)
        #expect(state.timePassed(at: now + .seconds(5)).isEmpty)
    }

    @Test("what happens during the first look leads to one more after it") func firstLook() {
        let moment = Moment(nanoseconds: 1_000_000_000)
        let defaults = Edition(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        var state = MirrorState(
            defaults: defaults, patience: .init(quiet: .milliseconds(100), limit: .seconds(1)), at: moment)
        #expect(state.signalled(at: moment).isEmpty)
        let problem = Problem(.value, "file", "no good")
        guard case .look? = state.opened(.refused(problem, .final)).last else {
            Issue.record("it is not looked at again")
            return
        }
        #expect(state.looked(.refused(problem, .final), at: moment).isEmpty)
        #expect(state.metrics.refusals == 1)
    }

    @Test("after it is closed, nothing matters")
    func closed() {
        var state = WalkedWorld().state
        let moment = Moment(nanoseconds: 2_000_000_000)
        #expect(state.closed().count == 2)
        #expect(state.status.watching == .frozen)
        #expect(state.signalled(at: moment).isEmpty)
        #expect(state.looked(.missing, at: moment).isEmpty)
        #expect(state.timePassed(at: moment + .seconds(5)).isEmpty)
        #expect(state.watchingChanged(to: .live).isEmpty)
        #expect(state.closed().isEmpty)
    }

    @Test("who waits for a save that goes on when all is closed, and comes to nothing, is told")
    func closedDuringSave() {
        var state = WalkedWorld().state
        let moment = Moment(nanoseconds: 2_000_000_000)
        guard case .save? = state.saveWanted(at: moment).last else {
            Issue.record("it is not saved")
            return
        }
        _ = state.closed()
        let effects = state.didNotSave(.seen(.missing), isWaitedFor: true, at: moment)
        guard case .refuse(let error as SessionError)? = effects.last else {
            Issue.record("nobody is told")
            return
        }
        #expect(error.code == .closed)
    }
}

extension MirrorReport {
    fileprivate var status: MirrorStatus? {
        if case .status(let status) = self { status } else { nil }
    }
}
