import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Random events of the thread pool", .enabled(if: !Sanitizer.findsRaces, "nothing here is concurrent"))
struct ThreadPoolStateWalkTests {
    @Test("A thread is scheduled for every due timer and job, though any job may never return", arguments: 1...40)
    func random(seed: UInt64) throws {
        var simulation = ThreadPoolSimulation(seed: seed)
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

/// Simulates workers without threads, with random events. Any running job may never end.
private struct ThreadPoolSimulation {
    private enum ThreadStatus {
        /// Woken, or about to end its job: it calls `next` soon.
        case called
        case asleep(until: Instant)
        case running
        case mayBlock
        /// Borrowed, and not yet known to block.
        case borrowed
    }

    private static let stallTimeout = Duration.milliseconds(10)

    private var state = ThreadPoolState(
        concurrency: 2, maxThreads: 40, idleTime: .seconds(5), stallTimeout: stallTimeout)
    private var statuses: [Int: ThreadStatus] = [:]
    private var now = Instant(nanoseconds: 0)
    private var timers: [Instant] = []
    private var generator: SeededGenerator
    private let jobsWaiting = Lock(0)
    private(set) var firedTimers = 0
    private(set) var history: [String] = []

    init(seed: UInt64) { generator = SeededGenerator(seed) }

    /// The broken guarantee; nil if there is none.
    var violation: String? {
        if statuses.values.contains(where: { if case .borrowed = $0 { true } else { false } }) { return nil }
        let isThreadCalled = statuses.values.contains { if case .called = $0 { true } else { false } }
        let next = statuses.values.compactMap { if case .asleep(let until) = $0 { until } else { nil } }.min()
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

    mutating func happen() {
        now = now + .milliseconds(Int.random(in: 0...3, using: &generator))
        // Sleeping workers wake up at their deadline, before any other event.
        for (worker, status) in statuses.sorted(by: { $0.key < $1.key }) {
            if case .asleep(let until) = status, until <= now { callNext(worker) }
        }
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
        let (step, wakeups) = state.next(for: worker, at: now)
        switch step {
        case .run(let job):
            job()
            statuses[worker] = .running
        case .sleep(let until): statuses[worker] = .asleep(until: until)
        case .end: statuses[worker] = nil
        }
        perform(wakeups, "\(worker) calls next at \(now.nanoseconds / 1_000_000)")
    }

    private mutating func perform(_ wakeups: ThreadPoolState.Wakeups, _ event: String) {
        history.append("\(event): woken \(wakeups.woken), started \(wakeups.started)")
        for worker in wakeups.woken + wakeups.started { statuses[worker] = .called }
    }
}
