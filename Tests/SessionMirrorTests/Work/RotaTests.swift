import Locking
import Testing

@testable import SessionMirror

@Suite("Who works next")
struct RotaTests {
    private var rota = Rota(lanes: 2, most: 5, idleTime: .seconds(5), patience: .milliseconds(10))
    private let done = Lock<[Int]>([])

    private func job(_ number: Int) -> Job {
        { [done] in done.withLock { $0.append(number) } }
    }

    /// What a worker is told; jobs are done on the spot.
    private enum Told: Equatable {
        case did(Int)
        case sleeps(until: Int64)
        case ended
    }

    private mutating func next(_ worker: Int, at milliseconds: Int64 = 0) -> (told: Told, summons: Rota.Summons) {
        let (step, summons) = rota.next(for: worker, at: moment(milliseconds))
        switch step {
        case .run(let job):
            job()
            return (.did(done.withLock { $0.last! }), summons)
        case .sleep(let moment): return (.sleeps(until: moment.nanoseconds / 1_000_000), summons)
        case .end: return (.ended, summons)
        }
    }

    private func moment(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

    private let nobody = Rota.Summons()
    private func started(_ workers: Int...) -> Rota.Summons { Rota.Summons(started: workers) }
    private func woken(_ workers: Int...) -> Rota.Summons { Rota.Summons(woken: workers) }

    @Test("the first job starts a worker, which rests and then ends")
    mutating func oneJob() {
        #expect(rota.posted(job(1), by: nil) == started(0))
        #expect(next(0) == (.did(1), nobody))
        #expect(next(0, at: 3) == (.sleeps(until: 5003), nobody))
        #expect(next(0, at: 5002) == (.sleeps(until: 5003), nobody))
        #expect(next(0, at: 5003) == (.ended, nobody))
        #expect(rota.posted(job(2), by: nil) == started(0))
    }

    @Test("a second job waits for the worker that was called for the first, which calls the next")
    mutating func chain() {
        #expect(rota.posted(job(1), by: nil) == started(0))
        #expect(rota.posted(job(2), by: nil) == nobody)
        #expect(next(0) == (.did(1), started(1)))
        #expect(next(1) == (.did(2), nobody))
    }

    @Test("who became idle last is woken first, and the other ends in its time")
    mutating func lastIdleFirst() {
        for number in 1...2 { _ = rota.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        #expect(next(0, at: 10) == (.sleeps(until: 5010), nobody))
        #expect(next(1, at: 20) == (.sleeps(until: 5020), nobody))
        #expect(rota.posted(job(3), by: nil) == woken(1))
        #expect(next(1, at: 100) == (.did(3), nobody))
        #expect(next(0, at: 5010) == (.ended, nobody))
        #expect(next(1, at: 5011) == (.sleeps(until: 10_011), nobody))
    }

    @Test("a job posted by a job is done by the same worker, without a call")
    mutating func owed() {
        _ = rota.posted(job(1), by: nil)
        _ = next(0)
        #expect(rota.posted(job(2), by: 0) == nobody)
        #expect(next(0) == (.did(2), nobody))
    }

    @Test("a second one posted by a job is another worker's, when the first begins")
    mutating func owedTwo() {
        _ = rota.posted(job(1), by: nil)
        _ = next(0)
        #expect(rota.posted(job(2), by: 0) == nobody)
        #expect(rota.posted(job(3), by: 0) == nobody)
        #expect(next(0) == (.did(2), started(1)))
        #expect(next(1) == (.did(3), nobody))
    }

    @Test("before a worker may block, what it owes is handed to another")
    mutating func mayBlock() {
        _ = rota.posted(job(1), by: nil)
        _ = next(0)
        _ = rota.posted(job(2), by: 0)
        #expect(rota.mayBlock(0) == started(1))
        #expect(next(1) == (.did(2), nobody))
        #expect(rota.posted(job(3), at: moment(50), by: 0) == started(2))
        #expect(next(2) == (.sleeps(until: 50), nobody))
    }

    @Test("a guest does what it came for and what that posts, and leaves")
    mutating func guest() {
        #expect(rota.guestCame() == 0)
        #expect(rota.posted(job(1), by: 0) == nobody)
        #expect(rota.posted(job(2), by: 0) == nobody)
        #expect(rota.posted(job(3), at: moment(50), by: 0) == nobody)
        for _ in 1...2 {
            let next = rota.next(forGuest: 0)
            #expect(next.job != nil && next.summons == nobody)
        }
        let last = rota.next(forGuest: 0)
        #expect(last.job == nil && last.summons == started(0))
        #expect(next(0) == (.sleeps(until: 50), nobody))
    }

    @Test("what a guest put off that does not come back is another's when that has taken long")
    mutating func blockedGuest() {
        #expect(rota.guestCame() == 0)
        _ = rota.posted(job(1), by: 0)
        #expect(rota.mayBlock(0) == nobody)
        #expect(rota.guestStays(0) == started(1))
        #expect(next(1) == (.did(1), nobody))
        let end = rota.next(forGuest: 0)
        #expect(end.job == nil && end.summons == nobody)
    }

    @Test("nothing waits for a guest that stays, neither jobs nor timers, and it gets no more of them")
    mutating func guestThatStays() {
        #expect(rota.guestCame() == 0)
        _ = rota.posted(job(1), at: moment(50), by: 0)
        #expect(rota.guestStays(0) == started(1))
        #expect(next(1) == (.sleeps(until: 50), nobody))
        #expect(rota.posted(job(2), by: 0) == Rota.Summons(woken: [1], started: [2]))
        let end = rota.next(forGuest: 0)
        #expect(end.job == nil && end.summons == nobody)
        #expect(next(1) == (.did(2), nobody))
        #expect(next(2) == (.sleeps(until: 50), nobody))
        #expect(rota.guestStays(0) == nobody)
    }

    @Test("there is no lane for a guest while all are taken")
    mutating func noLane() {
        for number in 1...2 { _ = rota.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        #expect(rota.guestCame() == nil)
    }

    @Test("a timer of a job needs no lookout before its worker may block")
    mutating func timerOfJob() {
        _ = rota.posted(job(1), by: nil)
        _ = next(0)
        #expect(rota.posted(job(2), at: moment(50), by: 0) == nobody)
        _ = rota.posted(job(3), by: 0)
        #expect(next(0) == (.did(3), nobody))
        #expect(rota.mayBlock(0) == started(1))
        #expect(next(1) == (.sleeps(until: 50), nobody))
    }

    @Test("a timer from elsewhere has a lookout at once, however long the jobs take")
    mutating func timerFromElsewhere() {
        _ = rota.posted(job(1), by: nil)
        _ = next(0)
        #expect(rota.posted(job(2), at: moment(50), by: nil) == started(1))
        #expect(next(1) == (.sleeps(until: 50), nobody))
    }

    @Test("with all lanes taken a third looks out, and takes the job when none was begun for the patience")
    mutating func blocked() {
        for number in 1...3 { _ = rota.posted(job(number), by: nil) }
        _ = next(0)
        #expect(next(1) == (.did(2), started(2)))
        #expect(next(2, at: 1) == (.sleeps(until: 11), nobody))
        #expect(next(2, at: 11) == (.did(3), nobody))
    }

    @Test("jobs that go on being begun let the lookout sleep again")
    mutating func moving() {
        for number in 1...4 { _ = rota.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        #expect(next(2, at: 1) == (.sleeps(until: 11), nobody))
        #expect(next(0, at: 9) == (.did(3), nobody))
        #expect(next(2, at: 11) == (.sleeps(until: 21), nobody))
        #expect(next(1, at: 15) == (.did(4), nobody))
        #expect(next(2, at: 21) == (.sleeps(until: 5021), nobody))
    }

    @Test("a blocked worker that comes back has no lane more than before")
    mutating func comesBack() {
        for number in 1...3 { _ = rota.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        _ = next(2, at: 1)
        _ = next(2, at: 11)
        for number in 4...5 { _ = rota.posted(job(number), by: nil) }
        // Of the three, 0 was taken to be blocked.
        #expect(next(0, at: 12) == (.sleeps(until: 22), nobody))
        #expect(next(1, at: 13) == (.did(4), nobody))
        #expect(next(2, at: 14) == (.did(5), nobody))
    }

    @Test("when every worker is blocked and there may be no more, jobs wait for one to come back")
    mutating func most() {
        for number in 1...9 { _ = rota.posted(job(number), by: nil) }
        for worker in 0...1 { _ = next(worker) }
        for worker in 2...4 {
            let begin = Int64(worker) * 100
            #expect(next(worker, at: begin) == (.sleeps(until: begin + 10), nobody))
            let last = worker == 4
            #expect(next(worker, at: begin + 10) == (.did(worker + 1), last ? nobody : started(worker + 1)))
        }
        #expect(rota.posted(job(10), by: nil) == nobody)
        #expect(next(3, at: 1000) == (.did(6), nobody))
    }

    @Test("a timer keeps one worker asleep until its moment")
    mutating func timer() {
        #expect(rota.posted(job(1), at: moment(60_000), by: nil) == started(0))
        #expect(next(0, at: 1) == (.sleeps(until: 60_000), nobody))
        #expect(next(0, at: 59_999) == (.sleeps(until: 60_000), nobody))
        #expect(next(0, at: 60_000) == (.did(1), nobody))
        #expect(next(0, at: 60_001) == (.sleeps(until: 65_001), nobody))
    }

    @Test("an earlier timer wakes the lookout, a later one does not")
    mutating func earlier() {
        _ = rota.posted(job(1), at: moment(100), by: nil)
        _ = next(0)
        #expect(rota.posted(job(2), at: moment(101), by: nil) == nobody)
        #expect(rota.posted(job(3), at: moment(99), by: nil) == woken(0))
        #expect(next(0, at: 1) == (.sleeps(until: 99), nobody))
        #expect(next(0, at: 99) == (.did(3), nobody))
        #expect(next(0, at: 99) == (.sleeps(until: 100), nobody))
    }

    @Test("a job for the lookout leaves the timers to another")
    mutating func lookoutWorks() {
        _ = rota.posted(job(1), at: moment(100), by: nil)
        _ = next(0)
        #expect(rota.posted(job(2), by: nil) == Rota.Summons(woken: [0], started: [1]))
        #expect(next(0, at: 1) == (.did(2), nobody))
        #expect(next(1, at: 2) == (.sleeps(until: 100), nobody))
    }

    @Test("a lookout that sleeps for a timer is woken when the lanes are taken")
    mutating func crowdWhileTimer() {
        _ = rota.posted(job(1), at: moment(60_000), by: nil)
        _ = next(0)
        _ = rota.posted(job(2), by: nil)
        #expect(next(0) == (.did(2), nobody))
        #expect(next(1) == (.sleeps(until: 60_000), nobody))
        #expect(rota.posted(job(3), by: nil) == woken(1))
        #expect(next(1) == (.did(3), nobody))
        #expect(rota.posted(job(4), by: nil) == started(2))
        #expect(next(2, at: 5) == (.sleeps(until: 15), nobody))
        #expect(next(2, at: 15) == (.did(4), nobody))
    }

    @Test("a worker that could not be started is tried again with the next job")
    mutating func notStarted() {
        #expect(rota.posted(job(1), by: nil) == started(0))
        rota.didNotStart(0)
        #expect(rota.posted(job(2), by: nil) == started(0))
        #expect(next(0) == (.did(1), started(1)))
    }
}
