import Glibc
import TestSupport
import Testing

@testable import FileWatching

@Suite("Watchdog") struct WatchdogTests {
    private let limit: Int64 = 2_000_000

    @Test("It fires once the leader has been absent for the limit, not before")
    func fires() {
        let watchdog = Watchdog(limit: limit, extendedLimit: limit)
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
        let watchdog = Watchdog(limit: limit, extendedLimit: limit)
        for _ in 0..<100 {
            watchdog.leaderLeft()
            watchdog.leaderReturned()
        }
        #expect(watchdog.wait(atMost: 50_000_000) == .timedOut)
    }

    @Test("The limit counts from the last time that the leader left, although the timer keeps ticking")
    func counts() {
        let watchdog = Watchdog(limit: limit, extendedLimit: limit)
        watchdog.leaderLeft()
        watchdog.leaderReturned()
        #expect(watchdog.wait(atMost: limit / 2) == .timedOut)
        let left = ContinuousClock.now
        watchdog.leaderLeft()
        #expect(watchdog.wait(atMost: 10_000_000_000) == .fired)
        #expect(ContinuousClock.now - left >= .nanoseconds(limit))
    }

    @Test("A leader may be absent longer after several short absences in a row, but not after one that was longer")
    func extended() {
        // Fires before the first moment without the extension, and not before the second one with it.
        let (firing, extended): (Int64, Int64) = (800_000_000, 1_000_000_000)
        let (silence, end): (Int64, Int64) = (300_000_000, 1_500_000_000)
        let watchdog = Watchdog(limit: 100_000_000, extendedLimit: extended)
        func beBrieflyAbsent(_ times: Int) {
            for _ in 0..<times {
                watchdog.leaderLeft()
                watchdog.leaderReturned()
            }
            #expect(watchdog.wait(atMost: silence) == .timedOut, "the timer stops ticking")
        }
        beBrieflyAbsent(7)
        watchdog.leaderLeft()
        #expect(watchdog.wait(atMost: firing) == .fired)
        beBrieflyAbsent(8)
        watchdog.leaderLeft()
        #expect(watchdog.wait(atMost: silence) == .timedOut)
        watchdog.leaderReturned()
        #expect(watchdog.wait(atMost: end) == .timedOut, "the timer stops ticking")
        watchdog.leaderLeft()
        #expect(watchdog.wait(atMost: firing) == .fired)
    }

    @Test("It fires once for each absence, also if the leader leaves just when the timer stops ticking")
    func comingAndGoing() {
        let watchdog = Watchdog(limit: limit, extendedLimit: limit)
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
