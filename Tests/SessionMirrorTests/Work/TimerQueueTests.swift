import Locking
import Testing

@testable import SessionMirror

@Suite("The queue of timers")
struct TimerQueueTests {
    @Test("a job is not given out before its moment, and is at it")
    func notBefore() {
        var timers = TimerQueue()
        timers.add({}, at: Moment(nanoseconds: 100))
        #expect(timers.first == Moment(nanoseconds: 100))
        #expect(timers.takeFirst(at: Moment(nanoseconds: 99)) == nil)
        #expect(timers.takeFirst(at: Moment(nanoseconds: 100)) != nil)
        #expect(timers.first == nil)
        #expect(timers.takeFirst(at: Moment(nanoseconds: 1000)) == nil)
    }

    @Test("the earliest comes first; those of one moment in the order in which they came")
    func order() {
        var timers = TimerQueue()
        let done = Lock<[Int]>([])
        let moments = (0..<500).map { _ in Int64.random(in: 0..<100) }
        for (number, moment) in moments.enumerated() {
            timers.add({ done.withLock { $0.append(number) } }, at: Moment(nanoseconds: moment))
        }
        for now in 0..<100 {
            while let job = timers.takeFirst(at: Moment(nanoseconds: Int64(now))) { job() }
            #expect(done.withLock { $0.count } == moments.count { $0 <= now })
        }
        let sorted = moments.indices.sorted { (moments[$0], $0) < (moments[$1], $1) }
        #expect(done.withLock { $0 } == sorted)
    }
}
