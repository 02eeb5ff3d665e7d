internal import Locking

/// Decides which worker runs which job: a pure value, protected by the lock of ``ThreadPool``.
///
/// Workers are numbers here. A worker that is awake calls ``next(for:at:)`` to learn what to do. Every other event
/// returns ``Wakeups``: the workers to wake or start, which then call ``next(for:at:)``.
///
/// - At most `concurrency` jobs run at a time, in FIFO order. One worker is woken for the first waiting job; when it takes
///   that job and more wait, it wakes the next worker.
/// - One worker, the timer thread, sleeps until the earliest timer is due. While jobs wait and `concurrency` jobs run, it
///   also checks after `stallTimeout` whether any job has started meanwhile. If not, one running job is considered blocked
///   and does not count as running until it ends.
/// - While a timer is pending, some worker is asleep until its moment at the latest, or has been woken. No job needs to end
///   for this, because any job may run user code or wait for a file. Only timers set by a borrowed thread wait until it
///   leaves or is known to block, which is soon, see ``BorrowedThread``.
/// - The other workers are idle; a worker that has been idle for `idleTime` ends.
/// - One sleeping worker, the timer thread or an idle one, sleeps on a ``KernelTimer`` instead of its semaphore. Setting
///   the timer makes it the timer thread, or lets it wake earlier, without waking any thread now. To wake it now, the timer
///   is set to a moment in the past; until that worker has called ``next(for:at:)``, the timer is not set again, and no
///   other worker sleeps on it.
struct ThreadPoolState {
    /// The workers that must call ``next(for:at:)``.
    struct Wakeups: Equatable {
        var woken: [Int] = []
        var started: [Int] = []
        /// What to set the kernel's timer to; nil if it stays as it is.
        var timer: Instant?

        /// These wake-ups, whose timer could not be set, and those that replace it.
        func replacingTimer(by others: Wakeups) -> Wakeups {
            Wakeups(woken: woken + others.woken, started: started + others.started, timer: others.timer)
        }
    }

    enum Step {
        case run(Job)
        case sleep(until: Instant, onTimer: Bool)
        case end
    }

    private enum ThreadStatus {
        /// Woken or started, and not yet in ``next(for:at:)``.
        case requested
        case running
        /// Running code that may never return.
        case mayBlock
        /// Running a job that does not count toward `concurrency` any more.
        case blocked
        case idle(until: Instant)
        case waitingForTimer(until: Instant, forStall: Bool)
    }

    let concurrency: Int
    let idleTime: Duration
    let stallTimeout: Duration

    private var jobs = JobQueue()
    private var timers = TimerQueue()
    private var statuses: [ThreadStatus?]
    /// See ``BorrowedThread``: no worker is woken for what these post.
    private var borrowedThreads: Set<Int> = []
    private var running = 0
    private var requested = 0
    /// A stack: the worker that became idle last is woken first, so that workers that are not needed end.
    private var idle: [Int] = []
    private var timerThread: Int?
    private var kernelTimer = KernelTimerState()
    /// The number of jobs started since the beginning.
    private var startedJobs: UInt64 = 0
    /// Since when jobs have been waiting without one being started.
    private var stall: (since: Instant, startedJobs: UInt64)?
    /// The value of `startedJobs` at the last ``jobForHelper(at:)``.
    private var startedJobsAtLastHelp: UInt64?

    /// Who uses the kernel's timer.
    private struct KernelTimerState {
        var isAvailable = false
        /// The worker that sleeps on it.
        var sleeper: Int?
        /// The worker that it is waking.
        var wokenWorker: Int?
        /// Whether it was ever set, so that it may fire, or have fired.
        var isSet = false
    }

    init(
        concurrency: Int, maxThreads: Int, idleTime: Duration, stallTimeout: Duration, hasKernelTimer: Bool = false
    ) {
        (self.concurrency, self.idleTime, self.stallTimeout) = (concurrency, idleTime, stallTimeout)
        statuses = Array(repeating: nil, count: maxThreads)
        kernelTimer.isAvailable = hasKernelTimer
    }
}

// Events.
extension ThreadPoolState {
    /// A job was posted, by a worker that will take it itself, or from elsewhere.
    mutating func posted(_ job: @escaping Job, by worker: Int?) -> Wakeups {
        jobs.append(job)
        return isRunning(worker) ? Wakeups() : wakeIfNeeded()
    }

    /// A timer was set. Jobs posted by a worker wait for that worker; its timers do not, unless its job `endsSoon`.
    mutating func posted(
        _ job: @escaping Job, at moment: Instant, by worker: Int?, endsSoon: Bool = false
    ) -> Wakeups {
        timers.add(job, at: moment)
        guard let worker, isRunning(worker) else { return wakeIfNeeded() }
        return endsSoon || borrowedThreads.contains(worker) ? Wakeups() : wakeIfNeeded(workers: false)
    }

    /// A worker is about to call code that may never return, so nothing may wait for it. For a borrowed thread no
    /// worker is woken: most calls are short, and the others are reported by ``borrowedThreadBlocked(_:)``.
    mutating func mayBlock(_ worker: Int) -> Wakeups {
        if isRunning(worker) { statuses[worker] = .mayBlock }
        return borrowedThreads.contains(worker) ? Wakeups() : wakeIfNeeded()
    }

    /// A thread from elsewhere runs a job of its own; nil if `concurrency` jobs run already.
    mutating func borrowedThreadArrived() -> Int? {
        guard running < concurrency, let borrowed = statuses.firstIndex(where: { $0 == nil }) else { return nil }
        borrowedThreads.insert(borrowed)
        begin(borrowed)
        return borrowed
    }

    /// A borrowed thread has finished its job. It runs the returned job next, or leaves if that is nil, as always after
    /// ``borrowedThreadBlocked(_:)``.
    mutating func next(forBorrowedThread borrowed: Int) -> (job: Job?, wakeups: Wakeups) {
        clearStatus(borrowed)
        if borrowedThreads.contains(borrowed), let job = take(borrowed) { return (job, Wakeups()) }
        borrowedThreads.remove(borrowed)
        return (nil, wakeIfNeeded())
    }

    /// The job of a borrowed thread takes long, so nothing may wait for it.
    mutating func borrowedThreadBlocked(_ borrowed: Int) -> Wakeups {
        borrowedThreads.remove(borrowed) == nil ? Wakeups() : mayBlock(borrowed)
    }

    /// A worker could not be started.
    mutating func startFailed(_ worker: Int) { clearStatus(worker) }

    /// A worker is awake, for whatever reason, and its last job has ended.
    mutating func next(for worker: Int, at now: Instant) -> (step: Step, wakeups: Wakeups) {
        var idleEnd: Instant?
        if case .idle(let end) = statuses[worker] { idleEnd = end }
        clearStatus(worker)
        if kernelTimer.wokenWorker == worker { kernelTimer.wokenWorker = nil }
        while let job = timers.takeFirst(at: now) { jobs.append(job) }
        if timerThread == nil { detectStall(at: now) }
        var wakeups = Wakeups()
        let step =
            take(worker).map(Step.run) ?? waitForTimer(worker, &wakeups)
            ?? becomeIdle(worker, until: idleEnd ?? now + idleTime, now, &wakeups)
        wakeIfNeeded(&wakeups)
        return (step, wakeups)
    }

    /// The same, with the kernel's timer set. If that fails, the timer is not used any more, and a worker that was to
    /// sleep on it is told again what to do.
    mutating func next(
        for worker: Int, at now: Instant, setTimer: (Wakeups) -> Bool
    ) -> (step: Step, wakeups: Wakeups) {
        let (step, wakeups) = next(for: worker, at: now)
        if setTimer(wakeups) { return (step, wakeups) }
        let replacements = wakeups.replacingTimer(by: timerFailed())
        guard case .sleep(_, onTimer: true) = step else { return (step, replacements) }
        let (nextStep, nextWakeups) = next(for: worker, at: now)
        return (nextStep, replacements.replacingTimer(by: nextWakeups))
    }

    private func isRunning(_ worker: Int?) -> Bool {
        guard let worker, case .running = statuses[worker] else { return false }
        return true
    }

    private mutating func clearStatus(_ worker: Int) {
        switch statuses[worker] {
        case .requested: requested -= 1
        case .running, .mayBlock: running -= 1
        case .idle: idle.removeAll { $0 == worker }
        case .waitingForTimer: timerThread = nil
        case .blocked, nil: break
        }
        statuses[worker] = nil
        if kernelTimer.sleeper == worker { kernelTimer.sleeper = nil }
    }
}

// While the system cannot create threads.
extension ThreadPoolState {
    /// Whether a needed worker could not be started.
    var isShortOfThreads: Bool {
        requested < (isWorkerNeeded ? 1 : 0) + (isTimerThreadNeeded && timerThread == nil ? 1 : 0)
    }

    /// Requests the needed workers once more.
    mutating func retryWakeups() -> Wakeups { wakeIfNeeded() }

    /// A job for a thread from elsewhere, which calls ``helperFinished(_:)`` after it. Returns nil if a job was started
    /// since the last call: then another thread is at work.
    mutating func jobForHelper(at now: Instant) -> (number: Int, job: Job)? {
        while let job = timers.takeFirst(at: now) { jobs.append(job) }
        if timerThread == nil { detectStall(at: now) }
        defer { startedJobsAtLastHelp = startedJobs }
        guard isShortOfThreads, startedJobsAtLastHelp == startedJobs,
            let number = statuses.firstIndex(where: { $0 == nil })
        else { return nil }
        return take(number).map { (number, $0) }
    }

    mutating func helperFinished(_ number: Int) -> Wakeups {
        clearStatus(number)
        return wakeIfNeeded()
    }

    /// When to help next; nil if nothing is pending.
    func nextHelp(after now: Instant) -> Instant? {
        if !jobs.isEmpty { return now + stallTimeout }
        return timers.first.map { min(max($0, now), now + .seconds(1)) }
    }
}

// What a worker does next.
extension ThreadPoolState {
    private mutating func take(_ worker: Int) -> Job? {
        guard running < concurrency, let job = jobs.takeFirst() else { return nil }
        begin(worker)
        return job
    }

    private mutating func begin(_ worker: Int) {
        running += 1
        startedJobs += 1
        statuses[worker] = .running
    }

    private mutating func waitForTimer(_ worker: Int, _ wakeups: inout Wakeups) -> Step? {
        let endOfStall = isSaturated ? stall.map { $0.since + stallTimeout } : nil
        guard timerThread == nil, let moment = [timers.first, endOfStall].compactMap(\.self).min() else { return nil }
        // The worker that sleeps on the kernel's timer need not be woken for an earlier moment.
        if setTimer(&wakeups) { return nil }
        timerThread = worker
        statuses[worker] = .waitingForTimer(until: moment, forStall: endOfStall != nil)
        return sleep(worker, until: moment, &wakeups)
    }

    private mutating func becomeIdle(
        _ worker: Int, until end: Instant, _ now: Instant, _ wakeups: inout Wakeups
    ) -> Step {
        if end <= now { return .end }
        idle.append(worker)
        statuses[worker] = .idle(until: end)
        return sleep(worker, until: end, &wakeups)
    }

    /// Lets a worker sleep: on the kernel's timer if no other worker does, otherwise on its semaphore.
    private mutating func sleep(_ worker: Int, until end: Instant, _ wakeups: inout Wakeups) -> Step {
        guard kernelTimer.isAvailable, kernelTimer.sleeper == nil, kernelTimer.wokenWorker == nil else {
            return .sleep(until: end, onTimer: false)
        }
        kernelTimer.sleeper = worker
        // An earlier moment would wake the worker for nothing.
        if kernelTimer.isSet { wakeups.timer = end }
        return .sleep(until: end, onTimer: true)
    }

    /// Whether jobs wait because `concurrency` jobs run.
    private var isSaturated: Bool { !jobs.isEmpty && running >= concurrency }

    private mutating func detectStall(at now: Instant) {
        guard isSaturated else {
            stall = nil
            return
        }
        guard let stall, stall.startedJobs == startedJobs else {
            stall = (now, startedJobs)
            return
        }
        if now < stall.since + stallTimeout { return }
        self.stall = nil
        guard let blocked = firstThatMayBlock ?? firstRunning else { return }
        clearStatus(blocked)
        statuses[blocked] = .blocked
    }
}

// Waking and starting workers.
extension ThreadPoolState {
    /// With `workers` false, wakes at most the timer thread; the jobs wait for the worker that posted them.
    private mutating func wakeIfNeeded(workers: Bool = true) -> Wakeups {
        var wakeups = Wakeups()
        wakeIfNeeded(workers: workers, &wakeups)
        return wakeups
    }

    private mutating func wakeIfNeeded(workers: Bool = true, _ wakeups: inout Wakeups) {
        if let timerThread, isTimerThreadNeeded, !wakesInTime(by: timerThread), !setTimer(&wakeups) {
            wake(timerThread, &wakeups)
        }
        while requested < (workers && isWorkerNeeded ? 1 : 0) + (isTimerThreadNeeded && timerThread == nil ? 1 : 0) {
            if timerThread == nil, setTimer(&wakeups) {
                continue
            } else if let worker = idle.last {
                wake(worker, &wakeups)
            } else if workers, isWorkerNeeded, let timerThread {
                wake(timerThread, &wakeups)
            } else if let worker = statuses.firstIndex(where: { $0 == nil }) {
                start(worker, &wakeups)
            } else {
                break
            }
        }
    }

    /// Makes the worker that sleeps on the kernel's timer the timer thread for the first timer, without waking it. False
    /// if there is no such worker, or if it must decide more than that.
    private mutating func setTimer(_ wakeups: inout Wakeups) -> Bool {
        guard let sleeper = kernelTimer.sleeper, (timerThread ?? sleeper) == sleeper, let first = timers.first else {
            return false
        }
        var forStall = false
        if case .waitingForTimer(_, let isForStall) = statuses[sleeper] { forStall = isForStall }
        if isSaturated, !forStall { return false }
        idle.removeAll { $0 == sleeper }
        statuses[sleeper] = .waitingForTimer(until: first, forStall: forStall)
        timerThread = sleeper
        kernelTimer.isSet = true
        wakeups.timer = first
        return true
    }

    /// The kernel's timer cannot be set or waited for. The worker that sleeps on it wakes at the moment that was set last;
    /// until then it counts as blocked, and another worker takes its place.
    mutating func timerFailed() -> Wakeups {
        if let lost = kernelTimer.sleeper ?? kernelTimer.wokenWorker {
            clearStatus(lost)
            statuses[lost] = .blocked
        }
        kernelTimer = KernelTimerState()
        return wakeIfNeeded()
    }

    private var isWorkerNeeded: Bool { !jobs.isEmpty && running < concurrency }

    private var isTimerThreadNeeded: Bool { isSaturated || timers.first != nil }

    private var firstThatMayBlock: Int? {
        statuses.firstIndex { if case .mayBlock = $0 { true } else { false } }
    }

    private var firstRunning: Int? { statuses.firstIndex { if case .running = $0 { true } else { false } } }

    /// Whether the timer thread will wake early enough.
    private func wakesInTime(by timerThread: Int) -> Bool {
        guard case .waitingForTimer(let moment, let forStall) = statuses[timerThread] else { return false }
        return (timers.first.map { moment <= $0 } ?? true) && (forStall || !isSaturated)
    }

    private mutating func wake(_ worker: Int, _ wakeups: inout Wakeups) {
        if kernelTimer.sleeper == worker {
            kernelTimer.wokenWorker = worker
            kernelTimer.isSet = true
            wakeups.timer = Instant(nanoseconds: 0)
        } else {
            wakeups.woken.append(worker)
        }
        clearStatus(worker)
        markRequested(worker)
    }

    private mutating func start(_ worker: Int, _ wakeups: inout Wakeups) {
        markRequested(worker)
        wakeups.started.append(worker)
    }

    private mutating func markRequested(_ worker: Int) {
        statuses[worker] = .requested
        requested += 1
    }
}
