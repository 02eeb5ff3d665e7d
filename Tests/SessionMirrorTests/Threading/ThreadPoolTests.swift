import Glibc
import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Thread pool")
struct ThreadPoolTests {
    private let done = Lock<[Int]>([])
    private var count: Int { done.withLock { $0.count } }

    private func add(_ number: Int) -> Job {
        { [done] in done.withLock { $0.append(number) } }
    }

    private func threads(of pool: ThreadPool) -> Int { ProcessThreads.count(named: pool.name) }

    @Test("A pool has no threads before its first job and after its idle time")
    func comeAndGo() {
        let pool = ThreadPool(name: "test-comeAndGo", idleTime: .milliseconds(20))
        #expect(threads(of: pool) == 0)
        for round in 1...3 {
            pool.run(add(round))
            eventually("the job is run") { count == round }
            eventually("the threads end") { threads(of: pool) == 0 }
        }
    }

    @Test("A pool with a concurrency of one runs jobs in FIFO order")
    func order() {
        let pool = ThreadPool(
            name: "test-order", concurrency: 1, idleTime: .milliseconds(20), stallTimeout: .seconds(60))
        for number in 0..<1000 { pool.run(add(number)) }
        eventually("all jobs are run") { count == 1000 }
        #expect(done.withLock { $0 } == Array(0..<1000))
    }

    @Test("A job posted by a job runs on the same thread, and no other thread is started", arguments: 1...20)
    func sameThread(round: Int) {
        let pool = ThreadPool(name: "test-same-\(round)", idleTime: .milliseconds(20), stallTimeout: .seconds(60))
        let isSame = Lock<Bool?>(nil)
        pool.run {
            let first = pthread_self()
            pool.run { isSame.withLock { $0 = pthread_self() == first } }
        }
        eventually("both jobs are run", { isSame.withLock { $0 } != nil })
        #expect(isSame.withLock { $0 } == true)
        #expect(threads(of: pool) <= 1)
    }

    @Test("A job that a blocked callback posted runs on another thread")
    func callsOut() {
        let pool = ThreadPool(name: "test-callsOut", idleTime: .milliseconds(20))
        let latch = Latch()
        pool.run {
            pool.run(add(1))
            ThreadPool.blocking {
                pool.run(add(2))
                pool.run(at: .now + .milliseconds(1), add(3))
                latch.pass()
            }
            add(4)()
        }
        eventually("the posted jobs are run before the callback returns") { count == 3 }
        #expect(done.withLock { !$0.contains(4) })
        latch.open()
        eventually("the callback returns") { count == 4 }
    }

    @Test("Timers fire in the order of their deadlines, and not earlier")
    func timers() {
        let pool = ThreadPool(
            name: "test-timers", concurrency: 1, idleTime: .milliseconds(5), stallTimeout: .seconds(60))
        let early = Lock<[Duration]>([])
        // Until all of them are set before the first one is due: one that is due when it is set cannot come first.
        var areSetInTime = false
        var lead = Duration.milliseconds(50)
        repeat {
            lead *= 2
            done.withLock { $0 = [] }
            let begin = Instant.now + lead
            for number in [7, 3, 9, 1, 5, 8, 2, 6, 4, 0] {
                let moment = begin + .milliseconds(20 * number)
                pool.run(at: moment) { [done] in
                    if Instant.now < moment { early.withLock { $0.append(moment - .now) } }
                    done.withLock { $0.append(number) }
                }
            }
            areSetInTime = Instant.now < begin
            eventually("all timers have fired") { count == 10 }
        } while !areSetInTime
        #expect(early.withLock { $0 } == [])
        #expect(done.withLock { $0 } == Array(0..<10))
        eventually("the threads end") { threads(of: pool) == 0 }
    }

    @Test("A distant timer keeps one thread, and jobs run before it")
    func longTimer() {
        let pool = ThreadPool(name: "test-longTimer", idleTime: .milliseconds(10))
        let begin = Instant.now
        let moment = begin + .seconds(2)
        pool.run(at: moment, add(2))
        pool.run(add(1))
        eventually("the job is run") { count == 1 }
        eventually("one thread is left") { Instant.now > begin + .seconds(1) && threads(of: pool) == 1 }
        #expect(count == 1 || Instant.now >= moment)
        eventually("the timer has fired") { count == 2 }
        #expect(Instant.now >= moment)
        eventually("the thread ends") { threads(of: pool) == 0 }
    }

    @Test("Blocked jobs do not delay other jobs and take about one thread each", arguments: [1, 5, 30])
    func blocked(blockedJobs: Int) {
        let pool = ThreadPool(name: "test-blocked-\(blockedJobs)", concurrency: 2, idleTime: .milliseconds(20))
        let latch = Latch()
        for _ in 0..<blockedJobs { pool.run { latch.pass() } }
        for number in 0..<100 { pool.run(add(number)) }
        eventually("the other jobs are run") { count == 100 }
        #expect(latch.passed == 0)
        // Two workers and the timer thread; on a busy machine short jobs may look blocked, too.
        #expect(threads(of: pool) <= blockedJobs + 3 + 10)
        latch.open()
        eventually("the blocked jobs return") { latch.passed == blockedJobs }
        eventually("the threads end") { threads(of: pool) == 0 }
    }

    @Test("64 blocked jobs use up the threads of a pool until they return")
    func tooManyBlocked() {
        let pool = ThreadPool(
            name: "test-tooMany", concurrency: 2, idleTime: .milliseconds(20), stallTimeout: .microseconds(100))
        let latch = Latch()
        for _ in 0..<100 { pool.run { latch.pass() } }
        pool.run(add(1))
        eventually("the maximum number of threads is reached") { threads(of: pool) == 64 }
        latch.open()
        eventually("all jobs are run") { count == 1 && latch.passed == 100 }
        eventually("the threads end") { threads(of: pool) == 0 }
    }

    @Test("10,000 short jobs from several threads run once each, on at most three threads")
    func burst() {
        let pool = ThreadPool(
            name: "test-burst", concurrency: 2, idleTime: .milliseconds(50), stallTimeout: .seconds(2))
        let maximum = Atomic<Int>(0)
        let posters = (0..<4).map { part in
            TestThread {
                for number in 0..<2500 { pool.run(add(part * 2500 + number)) }
                maximum.max(threads(of: pool), ordering: .relaxed)
            }
        }
        for poster in posters { poster.join() }
        eventually("all jobs are run") { count == 10_000 }
        #expect(Set(done.withLock { $0 }).count == 10_000)
        #expect(maximum.load(ordering: .relaxed) <= 3)
        eventually("the threads end") { threads(of: pool) == 0 }
    }

    @Test("Workers block signals that are sent to the process")
    func signals() {
        let pool = ThreadPool(name: "test-signals", idleTime: .milliseconds(20))
        let unblocked = Lock<[Int32]?>(nil)
        pool.run {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let free = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM].filter { sigismember(&mask, $0) == 0 }
            unblocked.withLock { $0 = free }
        }
        eventually("the job is run") { unblocked.withLock { $0 } != nil }
        #expect(unblocked.withLock { $0 } == [])
    }
}
