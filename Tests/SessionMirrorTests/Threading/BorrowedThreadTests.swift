import Glibc
import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Borrowed threads") struct BorrowedThreadTests {
    private let done = Lock<[Int]>([])
    private var count: Int { done.withLock { $0.count } }

    private func add(_ number: Int) -> Job {
        { [done] in done.withLock { $0.append(number) } }
    }

    @Test("A borrowed thread runs its job and the jobs it posts, and later jobs run on a worker")
    func itself() {
        let pool = ThreadPool(name: "test-borrowed", idleTime: .milliseconds(20))
        let thisThread = pthread_self()
        let isOnBorrowedThread = Lock<[Bool]>([])
        let recordThread: Job = {
            isOnBorrowedThread.withLock { $0.append(pthread_equal(pthread_self(), thisThread) != 0) }
        }
        BorrowedThread(of: pool) {
            recordThread()
            pool.run(recordThread)
        }.run()
        #expect(isOnBorrowedThread.withLock { $0.map(\.self) } == [true, true])
        #expect(ProcessThreads.count(named: pool.name) == 0)
        pool.run(recordThread)
        eventually("a worker runs the next job") {
            isOnBorrowedThread.withLock { $0.map(\.self) } == [true, true, false]
        }
    }

    @Test("A borrowed thread leaves its job to a worker while the pool is at its concurrency")
    func noFreeSlot() {
        let pool = ThreadPool(
            name: "test-noSlot", concurrency: 1, idleTime: .milliseconds(20), stallTimeout: .seconds(60))
        let latch = Latch()
        pool.run { latch.pass() }
        eventually("the only slot is taken") { latch.isWaitedFor }
        BorrowedThread(of: pool, for: add(1)).run()
        #expect(count == 0)
        latch.open()
        eventually("the job is run") { count == 1 }
    }

    @Test("Jobs that a borrowed thread posts do not wait for it when it blocks", arguments: [false, true])
    func blocked(isKnownBefore: Bool) {
        let pool = ThreadPool(name: "test-blocked-\(isKnownBefore)", idleTime: .milliseconds(20))
        let latch = Latch()
        let borrowed = BorrowedThread(of: pool) { [job = add(1)] in
            pool.run(job)
            ThreadPool.blocking { latch.pass() }
        }
        if isKnownBefore { borrowed.didBlock() }
        let thread = TestThread { borrowed.run() }
        eventually("the borrowed thread is blocked") { latch.isWaitedFor }
        if !isKnownBefore {
            #expect(count == 0)
            borrowed.didBlock()
        }
        eventually("the posted job is run") { count == 1 }
        latch.open()
        thread.join()
    }
}
