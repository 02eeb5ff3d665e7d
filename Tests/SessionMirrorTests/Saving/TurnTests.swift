import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Turns of changing a session") struct TurnTests {
    /// What may only be touched in turn.
    private final class Touched: Sendable {
        let turn = Turn()
        let inside = Atomic(0)
        let most = Atomic(0)
        let sum = Atomic(0)

        func touch() {
            turn.take {
                most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                // Not one step, so that two at the same time would lose some.
                sum.store(sum.load(ordering: .relaxed) + 1, ordering: .relaxed)
                inside.subtract(1, ordering: .relaxed)
            }
        }
    }

    @Test("one has it at a time, however many want it") func alone() {
        let touched = Touched()
        onThreads(4) { _ in
            for _ in 0..<2_000 { touched.touch() }
        }
        #expect(touched.most.load(ordering: .relaxed) == 1)
        #expect(touched.sum.load(ordering: .relaxed) == 8_000)
        #expect(!touched.turn.isMine)
    }

    @Test("it is the thread's that has it, and nobody else's") func mine() {
        let turn = Turn()
        let others = Atomic(0)
        turn.take {
            #expect(turn.isMine)
            onThreads(2) { _ in if turn.isMine { others.add(1, ordering: .relaxed) } }
        }
        #expect(!turn.isMine)
        #expect(others.load(ordering: .relaxed) == 0)
    }

    @Test("it is given back also where the change throws") func throwing() {
        struct No: Error {}
        let turn = Turn()
        #expect(throws: No.self) { try turn.take { throw No() } }
        #expect(turn.take { 1 } == 1)
    }

    @Test("who waits gets it, also beside one who takes it again at once every time") func fairness() {
        let turn = Turn()
        let isOver = Atomic(false)
        let had = Atomic(0)
        onThreads(3) { number in
            if number == 0 {
                while !isOver.load(ordering: .relaxed) { turn.take {} }
            } else {
                for _ in 0..<200 { turn.take { _ = had.add(1, ordering: .relaxed) } }
                if had.load(ordering: .relaxed) == 400 { isOver.store(true, ordering: .relaxed) }
            }
        }
        #expect(had.load(ordering: .relaxed) == 400)
    }

    @Test("those who wait while it is kept get it afterwards, all of them") func waiting() {
        let turn = Turn()
        let had = Atomic(0)
        let isKept = Turnstile()
        let keeper = TestThread {
            turn.take { isKept.pass() }
        }
        eventually("it is taken") { isKept.isWaitedFor }
        let others = (0..<3).map { _ in TestThread { turn.take { _ = had.add(1, ordering: .relaxed) } } }
        #expect(had.load(ordering: .relaxed) == 0)
        isKept.open()
        keeper.join()
        for other in others { other.join() }
        #expect(had.load(ordering: .relaxed) == 3)
    }

    @Test("a change inside a change of the same session traps") func inside() async {
        await #expect(processExitsWith: .failure) {
            let turn = Turn()
            turn.take { turn.take {} }
        }
    }
}
