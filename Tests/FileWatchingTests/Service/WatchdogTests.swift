import Glibc
import TestSupport
import Testing

@testable import FileWatching

@Suite("Watchdog") struct WatchdogTests {
    private let limit: Int64 = 2_000_000

    @Test("It fires once the leader has been absent for the limit, not before")
    func fires() {
        let watchdog = Watchdog(limit: limit)
        for _ in 0..<20 {
            let left = ContinuousClock.now
            watchdog.leaderLeft()
            #expect(watchdog.wait(atMost: 10_000_000_000) == .fired)
            #expect(ContinuousClock.now - left >= .nanoseconds(limit))
            watchdog.leaderReturned()
        }
    }

    @Test("It does not fire while the leader is present")
    func present() {
        let watchdog = Watchdog(limit: limit)
        for _ in 0..<100 {
            watchdog.leaderLeft()
            watchdog.leaderReturned()
        }
        #expect(watchdog.wait(atMost: 50_000_000) == .timedOut)
    }

    @Test("The limit counts from the last time that the leader left, although the timer keeps ticking")
    func counts() {
        let watchdog = Watchdog(limit: limit)
        watchdog.leaderLeft()
        watchdog.leaderReturned()
        #expect(watchdog.wait(atMost: limit / 2) == .timedOut)
        let left = ContinuousClock.now
        watchdog.leaderLeft()
        #expect(watchdog.wait(atMost: 10_000_000_000) == .fired)
        #expect(ContinuousClock.now - left >= .nanoseconds(limit))
    }

    @Test("It fires once for each absence, also if the leader leaves just when the timer stops ticking")
    func comingAndGoing() {
        let watchdog = Watchdog(limit: limit)
        let (firings, end) = (Received<Int>(), Received<Bool>())
        let follower = TestThread {
            while end.count == 0 {
                if watchdog.wait(atMost: 20_000_000) == .fired { firings.add(firings.count) }
            }
        }
        for round in 1...60 {
            usleep(.random(in: 0..<9_000))
            watchdog.leaderLeft()
            eventually("the watchdog fires") { firings.count == round }
            watchdog.leaderReturned()
        }
        end.add(true)
        follower.join()
        #expect(firings.count == 60)
    }
}
