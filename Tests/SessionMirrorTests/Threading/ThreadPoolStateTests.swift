import Locking
import Testing

@testable import SessionMirror

@Suite("Thread pool state")
struct ThreadPoolStateTests {
    private var state = ThreadPoolState(
        concurrency: 2, maxThreads: 5, idleTime: .seconds(5), stallTimeout: .milliseconds(10))
    private let done = Lock<[Int]>([])

    private func job(_ number: Int) -> Job {
        { [done] in done.withLock { $0.append(number) } }
    }

    /// The next step of a worker. Jobs run immediately.
    private enum Step: Equatable {
        case did(Int)
        case sleeps(until: Int64)
        case ended
    }

    private mutating func next(_ worker: Int, at milliseconds: Int64 = 0) -> (
        step: Step, wakeups: ThreadPoolState.Wakeups
    ) {
        let (step, wakeups) = state.next(for: worker, at: moment(milliseconds))
        switch step {
        case .run(let job):
            job()
            return (.did(done.withLock { $0.last! }), wakeups)
        case .sleep(let moment, _): return (.sleeps(until: moment.nanoseconds / 1_000_000), wakeups)
        case .end: return (.ended, wakeups)
        }
    }

    private func moment(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private let noWakeups = ThreadPoolState.Wakeups()
    private func started(_ workers: Int...) -> ThreadPoolState.Wakeups { ThreadPoolState.Wakeups(started: workers) }
    private func woken(_ workers: Int...) -> ThreadPoolState.Wakeups { ThreadPoolState.Wakeups(woken: workers) }

    @Test("The first job starts a worker, which then sleeps and ends after the idle time")
    mutating func oneJob() {
        #expect(state.posted(job(1), by: nil) == started(0))
        #expect(next(0) == (.did(1), noWakeups))
        #expect(next(0, at: 3) == (.sleeps(until: 5003), noWakeups))
        #expect(next(0, at: 5002) == (.sleeps(until: 5003), noWakeups))
        #expect(next(0, at: 5003) == (.ended, noWakeups))
        #expect(state.posted(job(2), by: nil) == started(0))
    }

    @Test("A second job waits for the worker started for the first, which starts another worker")
    mutating func chain() {
        #expect(state.posted(job(1), by: nil) == started(0))
        #expect(state.posted(job(2), by: nil) == noWakeups)
        #expect(next(0) == (.did(1), started(1)))
        #expect(next(1) == (.did(2), noWakeups))
    }

    @Test("The worker that became idle last is woken first, and the other ends after the idle time")
    mutating func lastIdleFirst() {
        for number in 1...2 { _ = state.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        #expect(next(0, at: 10) == (.sleeps(until: 5010), noWakeups))
        #expect(next(1, at: 20) == (.sleeps(until: 5020), noWakeups))
        #expect(state.posted(job(3), by: nil) == woken(1))
        #expect(next(1, at: 100) == (.did(3), noWakeups))
        #expect(next(0, at: 5010) == (.ended, noWakeups))
        #expect(next(1, at: 5011) == (.sleeps(until: 10_011), noWakeups))
    }

    @Test("A job posted by a job runs on the same worker, without a wake-up")
    mutating func owed() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        #expect(state.posted(job(2), by: 0) == noWakeups)
        #expect(next(0) == (.did(2), noWakeups))
    }

    @Test("A second job posted by a job starts another worker when the first one begins")
    mutating func owedTwo() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        #expect(state.posted(job(2), by: 0) == noWakeups)
        #expect(state.posted(job(3), by: 0) == noWakeups)
        #expect(next(0) == (.did(2), started(1)))
        #expect(next(1) == (.did(3), noWakeups))
    }

    @Test("A worker that may block hands its posted jobs to another worker")
    mutating func mayBlock() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        _ = state.posted(job(2), by: 0)
        #expect(state.mayBlock(0) == started(1))
        #expect(next(1) == (.did(2), noWakeups))
        #expect(state.posted(job(3), at: moment(50), by: 0) == started(2))
        #expect(next(2) == (.sleeps(until: 50), noWakeups))
    }

    @Test("A borrowed thread runs the jobs that it posts and leaves its timers to a worker")
    mutating func borrowed() {
        #expect(state.borrowedThreadArrived() == 0)
        #expect(state.posted(job(1), by: 0) == noWakeups)
        #expect(state.posted(job(2), by: 0) == noWakeups)
        #expect(state.posted(job(3), at: moment(50), by: 0) == noWakeups)
        for _ in 1...2 {
            let next = state.next(forBorrowedThread: 0)
            #expect(next.job != nil && next.wakeups == noWakeups)
        }
        let last = state.next(forBorrowedThread: 0)
        #expect(last.job == nil && last.wakeups == started(0))
        #expect(next(0) == (.sleeps(until: 50), noWakeups))
    }

    @Test("A job that a borrowed thread posted before it blocked runs on a worker")
    mutating func blockedBorrowedThread() {
        #expect(state.borrowedThreadArrived() == 0)
        _ = state.posted(job(1), by: 0)
        #expect(state.mayBlock(0) == noWakeups)
        #expect(state.borrowedThreadBlocked(0) == started(1))
        #expect(next(1) == (.did(1), noWakeups))
        let end = state.next(forBorrowedThread: 0)
        #expect(end.job == nil && end.wakeups == noWakeups)
    }

    @Test("Jobs and timers do not wait for a blocked borrowed thread, which gets no more of them")
    mutating func borrowedThreadThatBlocks() {
        #expect(state.borrowedThreadArrived() == 0)
        _ = state.posted(job(1), at: moment(50), by: 0)
        #expect(state.borrowedThreadBlocked(0) == started(1))
        #expect(next(1) == (.sleeps(until: 50), noWakeups))
        #expect(state.posted(job(2), by: 0) == ThreadPoolState.Wakeups(woken: [1], started: [2]))
        let end = state.next(forBorrowedThread: 0)
        #expect(end.job == nil && end.wakeups == noWakeups)
        #expect(next(1) == (.did(2), noWakeups))
        #expect(next(2) == (.sleeps(until: 50), noWakeups))
        #expect(state.borrowedThreadBlocked(0) == noWakeups)
    }

    @Test("No thread can be borrowed while the pool is at its concurrency")
    mutating func noFreeSlot() {
        for number in 1...2 { _ = state.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        #expect(state.borrowedThreadArrived() == nil)
    }

    @Test("A timer set by a job gets a timer thread at once, and the jobs it posts stay with its worker")
    mutating func timerOfJob() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        _ = state.posted(job(3), by: 0)
        #expect(state.posted(job(2), at: moment(50), by: 0) == started(1))
        #expect(state.posted(job(4), at: moment(60), by: 0) == noWakeups)
        #expect(next(0) == (.did(3), noWakeups))
        #expect(state.mayBlock(0) == noWakeups)
        #expect(next(1) == (.sleeps(until: 50), noWakeups))
    }

    @Test("A worker whose job ends soon serves its own timers, unless it finds another job")
    mutating func timerOfJobThatEnds() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        #expect(state.posted(job(2), at: moment(50), by: 0, endsSoon: true) == noWakeups)
        _ = state.posted(job(3), by: 0)
        #expect(next(0) == (.did(3), started(1)))
        #expect(next(1) == (.sleeps(until: 50), noWakeups))
        #expect(state.posted(job(4), at: moment(40), by: 0, endsSoon: true) == noWakeups)
        #expect(next(0) == (.sleeps(until: 5000), woken(1)))
    }

    @Test("A timer set by a worker wakes the timer thread that sleeps for a later one")
    mutating func earlierOfJob() {
        _ = state.posted(job(1), at: moment(100), by: nil)
        #expect(next(0) == (.sleeps(until: 100), noWakeups))
        _ = state.posted(job(2), by: nil)
        #expect(next(0) == (.did(2), noWakeups))
        #expect(next(1) == (.sleeps(until: 100), noWakeups))
        #expect(state.posted(job(3), at: moment(50), by: 0) == woken(1))
        #expect(next(1) == (.sleeps(until: 50), noWakeups))
    }

    @Test("A timer set by a borrowed thread gets a timer thread when the borrowed thread leaves")
    mutating func borrowedThreadBesideWorker() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        #expect(state.borrowedThreadArrived() == 1)
        #expect(state.posted(job(2), at: moment(50), by: 1) == noWakeups)
        let end = state.next(forBorrowedThread: 1)
        #expect(end.job == nil && end.wakeups == started(1))
        #expect(next(1) == (.sleeps(until: 50), noWakeups))
    }

    @Test("A timer set outside the pool gets a timer thread at once")
    mutating func timerFromElsewhere() {
        _ = state.posted(job(1), by: nil)
        _ = next(0)
        #expect(state.posted(job(2), at: moment(50), by: nil) == started(1))
        #expect(next(1) == (.sleeps(until: 50), noWakeups))
    }

    @Test("The timer thread takes a waiting job after the stall timeout while the pool is at its concurrency")
    mutating func blocked() {
        for number in 1...3 { _ = state.posted(job(number), by: nil) }
        _ = next(0)
        #expect(next(1) == (.did(2), started(2)))
        #expect(next(2, at: 1) == (.sleeps(until: 11), noWakeups))
        #expect(next(2, at: 11) == (.did(3), noWakeups))
    }

    @Test("The timer thread keeps sleeping while jobs are being started")
    mutating func moving() {
        for number in 1...4 { _ = state.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        #expect(next(2, at: 1) == (.sleeps(until: 11), noWakeups))
        #expect(next(0, at: 9) == (.did(3), noWakeups))
        #expect(next(2, at: 11) == (.sleeps(until: 21), noWakeups))
        #expect(next(1, at: 15) == (.did(4), noWakeups))
        #expect(next(2, at: 21) == (.sleeps(until: 5021), noWakeups))
    }

    @Test("A blocked worker that returns does not raise the concurrency")
    mutating func comesBack() {
        for number in 1...3 { _ = state.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        _ = next(2, at: 1)
        _ = next(2, at: 11)
        for number in 4...5 { _ = state.posted(job(number), by: nil) }
        // Of the three, worker 0 is considered blocked.
        #expect(next(0, at: 12) == (.sleeps(until: 22), noWakeups))
        #expect(next(1, at: 13) == (.did(4), noWakeups))
        #expect(next(2, at: 14) == (.did(5), noWakeups))
    }

    @Test("Jobs wait for a blocked worker to return once the maximum number of threads is reached")
    mutating func most() {
        for number in 1...9 { _ = state.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        for worker in 2...4 {
            let begin = Int64(worker) * 100
            #expect(next(worker, at: begin) == (.sleeps(until: begin + 10), noWakeups))
            let last = worker == 4
            #expect(next(worker, at: begin + 10) == (.did(worker + 1), last ? noWakeups : started(worker + 1)))
        }
        #expect(state.posted(job(10), by: nil) == noWakeups)
        #expect(next(3, at: 1000) == (.did(6), noWakeups))
    }

    @Test("A timer keeps one worker asleep until its deadline")
    mutating func timer() {
        #expect(state.posted(job(1), at: moment(60_000), by: nil) == started(0))
        #expect(next(0, at: 1) == (.sleeps(until: 60_000), noWakeups))
        #expect(next(0, at: 59_999) == (.sleeps(until: 60_000), noWakeups))
        #expect(next(0, at: 60_000) == (.did(1), noWakeups))
        #expect(next(0, at: 60_001) == (.sleeps(until: 65_001), noWakeups))
    }

    @Test("An earlier timer wakes the timer thread, and a later one does not")
    mutating func earlier() {
        _ = state.posted(job(1), at: moment(100), by: nil)
        _ = next(0)
        #expect(state.posted(job(2), at: moment(101), by: nil) == noWakeups)
        #expect(state.posted(job(3), at: moment(99), by: nil) == woken(0))
        #expect(next(0, at: 1) == (.sleeps(until: 99), noWakeups))
        #expect(next(0, at: 99) == (.did(3), started(1)))
        #expect(next(0, at: 99) == (.sleeps(until: 100), noWakeups))
    }

    @Test("A timer thread that is given a job leaves the timers to another worker")
    mutating func timerThreadWorks() {
        _ = state.posted(job(1), at: moment(100), by: nil)
        _ = next(0)
        #expect(state.posted(job(2), by: nil) == ThreadPoolState.Wakeups(woken: [0], started: [1]))
        #expect(next(0, at: 1) == (.did(2), noWakeups))
        #expect(next(1, at: 2) == (.sleeps(until: 100), noWakeups))
    }

    @Test("A new timer thread detects stalls after the sleeping one was woken for a job")
    mutating func crowdWhileTimer() {
        _ = state.posted(job(1), at: moment(60_000), by: nil)
        _ = next(0)
        _ = state.posted(job(2), by: nil)
        #expect(next(0) == (.did(2), noWakeups))
        #expect(next(1) == (.sleeps(until: 60_000), noWakeups))
        #expect(state.posted(job(3), by: nil) == ThreadPoolState.Wakeups(woken: [1], started: [2]))
        #expect(next(1) == (.did(3), noWakeups))
        #expect(state.posted(job(4), by: nil) == noWakeups)
        #expect(next(2, at: 5) == (.sleeps(until: 15), noWakeups))
        #expect(next(2, at: 15) == (.did(4), started(3)))
    }

    @Test("A worker that could not be started is started with the next job")
    mutating func notStarted() {
        #expect(state.posted(job(1), by: nil) == started(0))
        state.startFailed(0)
        #expect(state.posted(job(2), by: nil) == started(0))
        #expect(next(0) == (.did(1), started(1)))
    }
}
