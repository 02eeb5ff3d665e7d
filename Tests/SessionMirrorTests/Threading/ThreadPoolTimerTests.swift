import CLinux
import Glibc
import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Kernel timer of the thread pool")
struct ThreadPoolTimerTests {
    private var state = ThreadPoolState(
        concurrency: 2, maxThreads: 5, idleTime: .seconds(5), stallTimeout: .milliseconds(10), hasKernelTimer: true)

    private func moment(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private enum Step: Equatable {
        case runs, ends
        case sleeps(until: Int64, onTimer: Bool)
    }

    private mutating func next(_ worker: Int, at milliseconds: Int64 = 0) -> (
        step: Step, wakeups: ThreadPoolState.Wakeups
    ) {
        let (step, wakeups) = state.next(for: worker, at: moment(milliseconds))
        switch step {
        case .run: return (.runs, wakeups)
        case .sleep(let moment, let onTimer):
            return (.sleeps(until: moment.nanoseconds / 1_000_000, onTimer: onTimer), wakeups)
        case .end: return (.ends, wakeups)
        }
    }

    /// Lets workers run a job each, at the same time, and become idle in the order of their numbers.
    private mutating func letIdle(_ workers: Range<Int>) {
        for _ in workers { _ = state.posted({}, by: nil) }
        for worker in workers { #expect(next(worker).step == .runs) }
        for worker in workers {
            #expect(next(worker).step == .sleeps(until: 5000, onTimer: worker == workers.lowerBound))
        }
    }

    private func set(_ milliseconds: Int64) -> ThreadPoolState.Wakeups { .init(timer: moment(milliseconds)) }
    private let wakesSleeper = ThreadPoolState.Wakeups(timer: Instant(nanoseconds: 0))

    @Test("A timer is set, or set to an earlier moment, without waking the idle worker; a later one changes nothing")
    mutating func idleWorker() {
        letIdle(0..<1)
        #expect(state.posted({}, at: moment(100), by: nil) == set(100))
        #expect(state.posted({}, at: moment(200), by: nil) == .init())
        #expect(state.posted({}, at: moment(50), by: nil) == set(50))
        #expect(next(0, at: 50) == (.runs, .init(started: [1])))
    }

    @Test("A worker that sleeps on the timer after it was set has it set to its own end")
    mutating func stale() {
        letIdle(0..<1)
        #expect(state.posted({}, at: moment(50), by: nil) == set(50))
        #expect(next(0, at: 50).step == .runs)
        #expect(next(0, at: 51) == (.sleeps(until: 5051, onTimer: true), set(5051)))
    }

    @Test("The other idle worker is woken for a job; the one on the timer by a moment that is past")
    mutating func job() {
        letIdle(0..<2)
        #expect(state.posted({}, by: nil) == .init(woken: [1]))
        #expect(next(1).step == .runs)
        #expect(state.posted({}, by: nil) == wakesSleeper)
        #expect(next(0).step == .runs)
    }

    @Test("Until the woken worker is awake, the timer is not set, and no other worker sleeps on it")
    mutating func leaving() {
        letIdle(0..<2)
        for _ in 0..<2 { _ = state.posted({}, by: nil) }
        #expect(next(1) == (.runs, wakesSleeper))
        #expect(state.posted({}, at: moment(50), by: nil) == .init(started: [2]))
        #expect(next(1) == (.runs, .init()))
        #expect(next(2) == (.sleeps(until: 50, onTimer: false), .init()))
        #expect(next(0) == (.sleeps(until: 5000, onTimer: true), set(5000)))
    }

    @Test("The worker on the timer becomes the timer thread in place of one that has nothing else to do")
    mutating func takesOver() {
        letIdle(0..<2)
        _ = state.posted({}, by: nil)
        #expect(next(1).step == .runs)
        #expect(state.posted({}, at: moment(50), by: 1, endsSoon: true) == .init())
        #expect(next(1, at: 1) == (.sleeps(until: 5001, onTimer: false), set(50)))
        #expect(state.posted({}, at: moment(20), by: nil) == set(20))
    }

    @Test("While jobs wait for others to end, the timer thread is woken to watch over them")
    mutating func stall() {
        letIdle(0..<1)
        #expect(state.posted({}, at: moment(1000), by: nil) == set(1000))
        #expect(state.posted({}, by: nil) == .init(started: [1], timer: Instant(nanoseconds: 0)))
        for _ in 0..<2 { _ = state.posted({}, by: nil) }
        #expect(next(0, at: 1) == (.runs, .init(started: [2])))
        #expect(next(1, at: 1).step == .runs)
        #expect(next(2, at: 1) == (.sleeps(until: 11, onTimer: true), set(11)))
        #expect(state.posted({}, at: moment(5), by: nil) == set(5))
        #expect(next(2, at: 11).step == .runs)
    }

    @Test("If the timer fails, another worker serves what the one on it was to serve")
    mutating func failure() {
        letIdle(0..<1)
        #expect(state.posted({}, at: moment(50), by: nil) == set(50))
        #expect(state.timerFailed() == .init(started: [1]))
        #expect(next(1) == (.sleeps(until: 50, onTimer: false), .init()))
        #expect(state.posted({}, at: moment(20), by: nil) == .init(woken: [1]))
        #expect(next(0, at: 5000).step == .runs)
    }
}

extension ThreadPoolTimerTests {
    @Test("Timers that are set while the worker sleeps fire in order and not early, and a job wakes it")
    func real() {
        let pool = ThreadPool(
            name: "test-timer", concurrency: 1, idleTime: .milliseconds(20), stallTimeout: .seconds(60))
        #expect(pool.timer.isIntact)
        for _ in 0..<20 {
            let events = Received<Int>()
            pool.run { events.add(0) }
            eventually("the job runs") { events.count == 1 }
            let begin = Instant.now
            for number in [2, 1] {
                let moment = begin + .milliseconds(2 * number)
                pool.run(at: moment) { events.add(Instant.now < moment ? -1 : number) }
            }
            // Otherwise the later moment may have come before the earlier one was set.
            let areSetInTime = Instant.now < begin + .milliseconds(2)
            pool.run { events.add(0) }
            eventually("everything has run") { events.count == 4 }
            let fired = events.items.filter { $0 != 0 }
            #expect((areSetInTime ? fired : fired.sorted()) == [1, 2])
        }
    }

    @Test("A set timer ends a wait: a past moment at once, another one when it has come, and none that is far away")
    func waiting() throws {
        let timer = KernelTimer()
        #expect(timer.set(to: .distantFuture))
        #expect(timer.wait(until: .now + .milliseconds(2)))
        #expect(timer.set(to: Instant(nanoseconds: 0)) && timer.wait(until: .distantFuture))
        let moment = Instant.now + .milliseconds(2)
        #expect(timer.set(to: moment) && timer.wait(until: .distantFuture))
        #expect(Instant.now >= moment)
    }

    /// What other code opened after it has closed the timer.
    enum Successor: String, CaseIterable, Codable { case file, timer, nothing }

    @Test(
        "A timer that other code has closed is found out, and what has its number is left alone",
        arguments: Successor.allCases)
    func lost(successor: Successor) async {
        await #expect(processExitsWith: .success) { [successor] in
            var timer: KernelTimer? = KernelTimer()
            let number = timer!.descriptor
            let opened = successor == .timer ? clinux_timer_open() : try Descriptor.newFile()
            if successor == .timer { clinux_timer_set(opened, 50_000_000) }
            if successor == .nothing { close(number) } else { #expect(dup2(opened, number) == number) }
            #expect(!timer!.isIntact && !timer!.set(to: .distantFuture))
            if successor != .timer { #expect(!timer!.wait(until: .distantFuture)) }
            timer = nil
            #expect((fcntl(number, F_GETFD) >= 0) == (successor != .nothing))
            guard successor == .timer else { return }
            var request = pollfd(fd: opened, events: Int16(POLLIN), revents: 0)
            #expect(poll(&request, 1, 60_000) == 1, "the other timer still fires")
        }
    }

    @Test("Jobs and timers run although other code has closed the timer while a worker sleeps on it")
    func lostWhileSleeping() async {
        await #expect(processExitsWith: .success) {
            for seconds in [0.02, 600] {
                let pool = ThreadPool(name: "test-lost", idleTime: .seconds(seconds))
                let events = Received<Int>()
                for _ in 0..<3 { pool.run { events.add(0) } }
                eventually("the jobs run") { events.count == 3 }
                let file = try Descriptor.newFile()
                #expect(dup2(file, pool.timer.descriptor) == pool.timer.descriptor)
                for count in 2...4 {
                    pool.run(at: .now + .milliseconds(2)) { events.add(0) }
                    eventually("the timer fires") { events.count == 2 * count }
                    pool.run { events.add(0) }
                    eventually("the job runs") { events.count == 2 * count + 1 }
                }
            }
        }
    }
}
