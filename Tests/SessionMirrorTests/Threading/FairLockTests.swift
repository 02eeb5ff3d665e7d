import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Fair lock") struct FairLockTests {
    /// A counter that is protected by the lock.
    private final class ProtectedCounter: Sendable {
        let lock = FairLock()
        let inside = Atomic(0)
        let maximum = Atomic(0)
        let sum = Atomic(0)

        func increment() {
            lock.withLock {
                maximum.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                // Not atomic, so that concurrent calls would lose increments.
                sum.store(sum.load(ordering: .relaxed) + 1, ordering: .relaxed)
                inside.subtract(1, ordering: .relaxed)
            }
        }
    }

    @Test("Only one thread holds the lock at a time") func alone() {
        let counter = ProtectedCounter()
        onThreads(4) { _ in
            for _ in 0..<2_000 { counter.increment() }
        }
        #expect(counter.maximum.load(ordering: .relaxed) == 1)
        #expect(counter.sum.load(ordering: .relaxed) == 8_000)
        #expect(!counter.lock.isHeldByCurrentThread)
    }

    @Test("Only the thread that acquired the lock counts as its holder") func mine() {
        let lock = FairLock()
        let others = Atomic(0)
        lock.withLock {
            #expect(lock.isHeldByCurrentThread)
            onThreads(2) { _ in if lock.isHeldByCurrentThread { others.add(1, ordering: .relaxed) } }
        }
        #expect(!lock.isHeldByCurrentThread)
        #expect(others.load(ordering: .relaxed) == 0)
    }

    @Test("The lock is released when the body throws") func throwing() {
        struct BodyError: Error {}
        let lock = FairLock()
        #expect(throws: BodyError.self) { try lock.withLock { throw BodyError() } }
        #expect(lock.withLock { 1 } == 1)
    }

    @Test("A waiting thread gets the lock despite another one that reacquires it in a loop") func fairness() {
        let lock = FairLock()
        let isOver = Atomic(false)
        let acquisitions = Atomic(0)
        onThreads(3) { number in
            if number == 0 {
                while !isOver.load(ordering: .relaxed) { lock.withLock {} }
            } else {
                for _ in 0..<200 { lock.withLock { _ = acquisitions.add(1, ordering: .relaxed) } }
                if acquisitions.load(ordering: .relaxed) == 400 { isOver.store(true, ordering: .relaxed) }
            }
        }
        #expect(acquisitions.load(ordering: .relaxed) == 400)
    }

    @Test("All waiting threads get the lock after it is released") func waiting() {
        let lock = FairLock()
        let acquisitions = Atomic(0)
        let latch = Latch()
        let holder = TestThread {
            lock.withLock { latch.pass() }
        }
        eventually("the lock is held") { latch.isWaitedFor }
        let others = (0..<3).map { _ in TestThread { lock.withLock { _ = acquisitions.add(1, ordering: .relaxed) } } }
        #expect(acquisitions.load(ordering: .relaxed) == 0)
        latch.open()
        holder.join()
        for other in others { other.join() }
        #expect(acquisitions.load(ordering: .relaxed) == 3)
    }

    @Test("A thread that times out does not get the lock, and those that wait longer do") func limit() {
        let lock = FairLock()
        #expect(lock.lock(until: .now))
        lock.unlock()
        let latch = Latch()
        let holder = TestThread { lock.withLock { latch.pass() } }
        eventually("the lock is held") { latch.isWaitedFor }
        let acquisitions = Atomic(0)
        let others = (0..<3).map { number in
            TestThread {
                if lock.lock(until: .now + (number == 1 ? .seconds(60) : .milliseconds(1))) {
                    _ = acquisitions.add(1, ordering: .relaxed)
                    lock.unlock()
                }
            }
        }
        #expect(!lock.lock(until: .now + .milliseconds(1)))
        #expect(!lock.isHeldByCurrentThread)
        others[0].join()
        others[2].join()
        #expect(acquisitions.load(ordering: .relaxed) == 0)
        latch.open()
        for thread in [holder, others[1]] { thread.join() }
        #expect(acquisitions.load(ordering: .relaxed) == 1)
    }

    @Test("A timeout that coincides with a release does not keep the lock from others") func givingUp() {
        let lock = FairLock()
        let acquisitions = Atomic(0)
        onThreads(4) { number in
            for round in 0..<2_000 {
                if number < 2 {
                    lock.withLock { _ = acquisitions.add(1, ordering: .relaxed) }
                } else if lock.lock(until: .now + .microseconds(round % 20)) {
                    lock.unlock()
                }
            }
        }
        #expect(acquisitions.load(ordering: .relaxed) == 4_000)
        #expect(lock.lock(until: .now))
        lock.unlock()
    }

    @Test("Acquiring the lock recursively traps") func inside() async {
        await #expect(processExitsWith: .failure) {
            let lock = FairLock()
            lock.withLock { lock.withLock {} }
        }
    }
}
