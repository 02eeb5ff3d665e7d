import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Random events of the thread pool", .enabled(if: !Sanitizer.findsRaces, "nothing here is concurrent"))
struct ThreadPoolStateWalkTests {
    @Test(
        "A thread is scheduled for every due timer and job, though any job may never return", arguments: 1...40,
        KernelTimerKind.allCases)
    func random(seed: UInt64, timer: KernelTimerKind) throws {
        var simulation = ThreadPoolSimulation(seed: seed, timer)
        for step in 0..<500 {
            simulation.happen()
            if let violation = simulation.violation {
                Issue.record(
                    "seed \(seed), step \(step): \(violation)\n\(simulation.history.suffix(12).joined(separator: "\n"))"
                )
                return
            }
        }
        #expect(simulation.firedTimers > 20)
    }
}

/// Whether the kernel's timer can be used.
enum KernelTimerKind: CaseIterable {
    case missing, intact
    /// It is lost after a while.
    case lost
}

/// Simulates workers without threads, with random events. Any running job may never end.
private struct ThreadPoolSimulation {
    private enum ThreadStatus {
        /// Woken, or about to end its job: it calls `next` soon.
        case called
        case asleep(until: Instant, onTimer: Bool)
        case running
        case mayBlock
        /// Borrowed, and not yet known to block.
        case borrowed
    }

    private static let stallTimeout = Duration.milliseconds(10)

    private var state: ThreadPoolState
    /// When the kernel's timer fires.
    private var timer: Instant?
    private var isTimerLost = false
    /// A decision that makes no sense.
    private var mistake: String?
    private let timerKind: KernelTimerKind
    private var statuses: [Int: ThreadStatus] = [:]
    private var now = Instant(nanoseconds: 0)
    private var timers: [Instant] = []
    private var generator: SeededGenerator
    private let jobsWaiting = Lock(0)
    private(set) var firedTimers = 0
    private(set) var history: [String] = []

    init(seed: UInt64, _ timerKind: KernelTimerKind) {
        generator = SeededGenerator(seed)
        self.timerKind = timerKind
        state = ThreadPoolState(
            concurrency: 2, maxThreads: 40, idleTime: .seconds(5), stallTimeout: Self.stallTimeout,
            hasKernelTimer: timerKind != .missing)
    }

    /// The broken guarantee; nil if there is none.
    var violation: String? {
        if statuses.values.contains(where: { if case .borrowed = $0 { true } else { false } }) { return nil }
        let isThreadCalled = statuses.values.contains { if case .called = $0 { true } else { false } }
        let next = statuses.values.compactMap(wakeMoment).min()
        if statuses.values.count(where: { if case .asleep(_, onTimer: true) = $0 { true } else { false } }) > 1 {
            return "two threads sleep on one timer"
        }
        if let mistake { return mistake }
        if let timer = timers.min(), !isThreadCalled,
            next ?? Instant(nanoseconds: .max) > max(timer, now + Self.stallTimeout)
        {
            return "no thread is scheduled for the timer of \(timer.nanoseconds)"
        }
        // A running worker takes the jobs that it posted.
        let isWorkerRunning = statuses.values.contains { if case .running = $0 { true } else { false } }
        let wakesInTime = isThreadCalled || next.map { $0 <= now + Self.stallTimeout } ?? false
        if jobsWaiting.withLock({ $0 }) > 0, !wakesInTime, !isWorkerRunning {
            return "no thread is scheduled for the jobs"
        }
        return nil
    }

    private func wakeMoment(_ status: ThreadStatus) -> Instant? {
        guard case .asleep(let until, let onTimer) = status else { return nil }
        return onTimer ? min(until, timer ?? until) : until
    }

    mutating func happen() {
        if timerKind == .lost, Int.random(in: 0..<100, using: &generator) == 0 { isTimerLost = true }
        now = now + .milliseconds(Int.random(in: 0...3, using: &generator))
        // Sleeping workers wake up at their deadline, before any other event; one that the timer wakes may take longer.
        for (worker, status) in statuses.sorted(by: { $0.key < $1.key }) {
            guard case .asleep(let until, _) = status, let moment = wakeMoment(status), moment <= now else { continue }
            if until <= now || Int.random(in: 0..<4, using: &generator) == 0 { callNext(worker) }
        }
        if isTimerLost, Int.random(in: 0..<20, using: &generator) == 0 { noticeLoss() }
        let worker = statuses.keys.sorted().randomElement(using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: post(by: nil)
        case 1: setTimer(by: nil)
        case 2: borrowThread()
        case 3, 4: if let worker { act(worker) }
        default: if let worker { advance(worker) }
        }
    }

    private mutating func act(_ worker: Int) {
        switch statuses[worker] {
        case .running, .borrowed:
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: post(by: worker)
            case 1: setTimer(by: worker)
            default: mayBlock(worker)
            }
        case .mayBlock: setTimer(by: nil)
        default: break
        }
    }

    private mutating func advance(_ worker: Int) {
        switch statuses[worker] {
        case .called: callNext(worker)
        case .running, .mayBlock:
            // Many jobs never return.
            if Int.random(in: 0..<3, using: &generator) > 0 || statuses.count > 20 { callNext(worker) }
        case .borrowed: if Bool.random(using: &generator) { continueBorrowed(worker) } else { block(worker) }
        default: break
        }
    }
}

extension ThreadPoolSimulation {
    private mutating func post(by worker: Int?) {
        jobsWaiting.withLock { $0 += 1 }
        perform(state.posted(job, by: worker), "a job by \(worker.map(String.init) ?? "nobody")")
    }

    private mutating func setTimer(by worker: Int?) {
        let moment = now + .milliseconds(Int.random(in: 0...60, using: &generator))
        let endsSoon = Bool.random(using: &generator)
        timers.append(moment)
        perform(
            state.posted(job, at: moment, by: worker, endsSoon: endsSoon),
            "a timer by \(worker.map(String.init) ?? "nobody")")
        if endsSoon, let worker, case .running = statuses[worker] { statuses[worker] = .called }
    }

    private var job: Job {
        { [jobsWaiting] in jobsWaiting.withLock { $0 -= 1 } }
    }

    private mutating func borrowThread() {
        guard let borrowed = state.borrowedThreadArrived() else { return }
        statuses[borrowed] = .borrowed
        history.append("borrowed \(borrowed) arrives")
    }

    private mutating func continueBorrowed(_ borrowed: Int) {
        let (job, wakeups) = state.next(forBorrowedThread: borrowed)
        if let job { job() } else { statuses[borrowed] = nil }
        perform(wakeups, "borrowed \(borrowed) continues")
    }

    private mutating func block(_ borrowed: Int) {
        statuses[borrowed] = .mayBlock
        perform(state.borrowedThreadBlocked(borrowed), "borrowed \(borrowed) blocks")
    }

    private mutating func mayBlock(_ worker: Int) {
        if case .running = statuses[worker] { statuses[worker] = .mayBlock }
        perform(state.mayBlock(worker), "\(worker) may block")
    }

    private mutating func callNext(_ worker: Int) {
        let due = timers.count { $0 <= now }
        timers.removeAll { $0 <= now }
        firedTimers += due
        jobsWaiting.withLock { $0 += due }
        let canSet = !isTimerLost
        let (step, wakeups) = state.next(for: worker, at: now) { canSet || $0.timer == nil }
        switch step {
        case .run(let job):
            job()
            statuses[worker] = .running
        case .sleep(let until, let onTimer): statuses[worker] = .asleep(until: until, onTimer: onTimer)
        case .end: statuses[worker] = nil
        }
        if case .sleep(_, onTimer: true) = step, wakeups.timer == nil, let timer, timer <= now {
            mistake = "\(worker) sleeps on a timer that has fired"
        }
        perform(wakeups, "\(worker) calls next at \(now.nanoseconds / 1_000_000)")
    }

    /// A worker on the timer finds out that the descriptor is lost.
    private mutating func noticeLoss() {
        for (worker, status) in statuses {
            guard case .asleep(_, onTimer: true) = status else { continue }
            perform(state.timerFailed(), "\(worker) notices that the timer is lost")
            callNext(worker)
        }
    }

    private mutating func perform(_ decided: ThreadPoolState.Wakeups, _ event: String) {
        let wakeups = decided.timer != nil && isTimerLost ? decided.replacingTimer(by: state.timerFailed()) : decided
        if let moment = wakeups.timer { timer = moment }
        let set = wakeups.timer.map { ", timer \($0.nanoseconds / 1_000_000)" } ?? ""
        history.append("\(event): woken \(wakeups.woken), started \(wakeups.started)\(set)")
        for worker in wakeups.started where statuses[worker] != nil { mistake = "\(worker) is started twice" }
        for worker in wakeups.woken + wakeups.started { statuses[worker] = .called }
    }
}
