import Glibc
import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Workers")
struct WorkersTests {
    private let done = Lock<[Int]>([])
    private var count: Int { done.withLock { $0.count } }

    private func add(_ number: Int) -> Job {
        { [done] in done.withLock { $0.append(number) } }
    }

    private func threads(of workers: Workers) -> Int { ProcessThreads.count(named: workers.name) }

    @Test("there is no thread before the first job, and none some time after the last; then all over again")
    func comeAndGo() {
        let workers = Workers(name: "test-comeAndGo", idleTime: .milliseconds(20))
        #expect(threads(of: workers) == 0)
        for round in 1...3 {
            workers.run(add(round))
            eventually("the job is done") { count == round }
            eventually("the threads end") { threads(of: workers) == 0 }
        }
    }

    @Test("one lane does its jobs in the order in which they were posted")
    func order() {
        let workers = Workers(name: "test-order", lanes: 1, idleTime: .milliseconds(20), patience: .seconds(60))
        for number in 0..<1000 { workers.run(add(number)) }
        eventually("all are done") { count == 1000 }
        #expect(done.withLock { $0 } == Array(0..<1000))
    }

    @Test("a job posted by a job is done by the same thread, and no other is started", arguments: 1...20)
    func sameThread(round: Int) {
        let workers = Workers(name: "test-same-\(round)", idleTime: .milliseconds(20), patience: .seconds(60))
        let isSame = Lock<Bool?>(nil)
        workers.run {
            let first = pthread_self()
            workers.run { isSame.withLock { $0 = pthread_self() == first } }
        }
        eventually("both are done", { isSame.withLock { $0 } != nil })
        #expect(isSame.withLock { $0 } == true)
        #expect(threads(of: workers) <= 1)
    }

    @Test("a job that a blocked callback posted is done by another thread")
    func callsOut() {
        let workers = Workers(name: "test-callsOut", idleTime: .milliseconds(20))
        let gate = Turnstile()
        workers.run {
            workers.run(add(1))
            Workers.callingOut {
                workers.run(add(2))
                workers.run(at: .now + .milliseconds(1), add(3))
                gate.pass()
            }
            add(4)()
        }
        eventually("those do not wait for the callback") { count == 3 }
        #expect(done.withLock { !$0.contains(4) })
        gate.open()
        eventually("the callback comes back") { count == 4 }
    }

    @Test("a timer fires when its moment has come, not before, the earliest first")
    func timers() {
        let workers = Workers(name: "test-timers", lanes: 1, idleTime: .milliseconds(5), patience: .seconds(60))
        let early = Lock<[Duration]>([])
        let begin = Moment.now
        // On the only lane, so that none fires before all are set, however long that takes.
        workers.run { [done] in
            for number in [7, 3, 9, 1, 5, 8, 2, 6, 4, 0] {
                let moment = begin + .milliseconds(20 * number)
                workers.run(at: moment) {
                    if Moment.now < moment { early.withLock { $0.append(moment - .now) } }
                    done.withLock { $0.append(number) }
                }
            }
        }
        eventually("all have fired") { count == 10 }
        #expect(early.withLock { $0 } == [])
        #expect(done.withLock { $0 } == Array(0..<10))
        eventually("the threads end") { threads(of: workers) == 0 }
    }

    @Test("a timer that is long in coming keeps one thread, asleep, and jobs come in between")
    func longTimer() {
        let workers = Workers(name: "test-longTimer", idleTime: .milliseconds(10))
        let begin = Moment.now
        let moment = begin + .seconds(2)
        workers.run(at: moment, add(2))
        workers.run(add(1))
        eventually("the job is done") { count == 1 }
        eventually("one thread is left") { Moment.now > begin + .seconds(1) && threads(of: workers) == 1 }
        #expect(count == 1 || Moment.now >= moment)
        eventually("the timer has fired") { count == 2 }
        #expect(Moment.now >= moment)
        eventually("the thread ends") { threads(of: workers) == 0 }
    }

    @Test("blocked jobs stall nobody, and take about one thread each", arguments: [1, 5, 30])
    func blocked(blockedJobs: Int) {
        let workers = Workers(name: "test-blocked-\(blockedJobs)", lanes: 2, idleTime: .milliseconds(20))
        let gate = Turnstile()
        for _ in 0..<blockedJobs { workers.run { gate.pass() } }
        for number in 0..<100 { workers.run(add(number)) }
        eventually("the others are done") { count == 100 }
        #expect(gate.passed == 0)
        // Two lanes and the lookout beside them; on a busy machine short jobs may look blocked, too.
        #expect(threads(of: workers) <= blockedJobs + 3 + 10)
        gate.open()
        eventually("the blocked ones come back") { gate.passed == blockedJobs }
        eventually("the threads end") { threads(of: workers) == 0 }
    }

    @Test("more blocked jobs than there may be threads are an end of it, until one comes back")
    func tooManyBlocked() {
        let workers = Workers(
            name: "test-tooMany", lanes: 2, idleTime: .milliseconds(20), patience: .microseconds(100))
        let gate = Turnstile()
        for _ in 0..<100 { workers.run { gate.pass() } }
        workers.run(add(1))
        eventually("all threads are there") { threads(of: workers) == 64 }
        gate.open()
        eventually("all jobs are done") { count == 1 && gate.passed == 100 }
        eventually("the threads end") { threads(of: workers) == 0 }
    }

    @Test("10,000 short jobs from several threads take few threads, and each runs once")
    func burst() {
        let workers = Workers(name: "test-burst", lanes: 2, idleTime: .milliseconds(50), patience: .seconds(2))
        let most = Atomic<Int>(0)
        let posters = (0..<4).map { part in
            TestThread {
                for number in 0..<2500 { workers.run(add(part * 2500 + number)) }
                most.max(threads(of: workers), ordering: .relaxed)
            }
        }
        for poster in posters { poster.join() }
        eventually("all are done") { count == 10_000 }
        #expect(Set(done.withLock { $0 }).count == 10_000)
        #expect(most.load(ordering: .relaxed) <= 3)
        eventually("the threads end") { threads(of: workers) == 0 }
    }

    @Test("workers get no signals")
    func signals() {
        let workers = Workers(name: "test-signals", idleTime: .milliseconds(20))
        let unblocked = Lock<[Int32]?>(nil)
        workers.run {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let free = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM].filter { sigismember(&mask, $0) == 0 }
            unblocked.withLock { $0 = free }
        }
        eventually("the job is done") { unblocked.withLock { $0 } != nil }
        #expect(unblocked.withLock { $0 } == [])
    }
}
