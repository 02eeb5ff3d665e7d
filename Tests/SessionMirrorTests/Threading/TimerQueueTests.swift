import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Timer queue")
struct TimerQueueTests {
    @Test("A job is not taken before its deadline, and is taken at it")
    func notBefore() {
        var timers = TimerQueue()
        timers.add({}, at: Instant(nanoseconds: 100))
        #expect(timers.first == Instant(nanoseconds: 100))
        #expect(timers.takeFirst(at: Instant(nanoseconds: 99)) == nil)
        #expect(timers.takeFirst(at: Instant(nanoseconds: 100)) != nil)
        #expect(timers.first == nil)
        #expect(timers.takeFirst(at: Instant(nanoseconds: 1000)) == nil)
    }

    @Test(
        "Jobs leave in the order of their deadlines, and those of equal deadlines in FIFO order",
        arguments: SeededGenerator.seeds)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed)
        var timers = TimerQueue()
        let done = Lock<[Int]>([])
        let moments = (0..<500).map { _ in Int64.random(in: 0..<100, using: &random) }
        for (number, moment) in moments.enumerated() {
            timers.add({ done.withLock { $0.append(number) } }, at: Instant(nanoseconds: moment))
        }
        for now in 0..<100 {
            while let job = timers.takeFirst(at: Instant(nanoseconds: Int64(now))) { job() }
            #expect(done.withLock { $0.count } == moments.count { $0 <= now })
        }
        let sorted = moments.indices.sorted { (moments[$0], $0) < (moments[$1], $1) }
        #expect(done.withLock { $0 } == sorted)
    }
}
