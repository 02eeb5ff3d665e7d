internal import Glibc
internal import Locking

/// A thread pool for everything that takes time: reading files, decoding, saving, calling subscribers, reclaiming
/// memory.
///
/// ```swift
/// ThreadPool.shared.run { read(path) }
/// ThreadPool.shared.run(at: .now + .milliseconds(250)) { save() }
/// ```
///
/// The pool starts no thread before the first job, and ends a thread that has been idle for 5 s; a pending timer keeps
/// one thread asleep. Nothing polls. Jobs start in FIFO order, two at a time or as many as there are processors. A job
/// that does not end delays the others for about 10 ms, then one more thread takes its place, up to 64 threads.
///
/// A job posted by another job runs next on the same thread, without waking another one. A job that then calls code
/// that may block, such as a subscriber, must make that call inside ``blocking(_:)``.
///
/// In the child of a fork the pool drops all jobs. While the system cannot create threads, other threads run the jobs,
/// see ``helpOnce()``.
final class ThreadPool: Sendable {
    static let shared = ThreadPool(name: "session-worker")

    /// The name of its threads in /proc and debuggers; at most 15 bytes.
    let name: String

    let state: Lock<ThreadPoolState>
    let shortage = ThreadShortage()
    /// One for each possible thread. They outlive the threads, so that a late wake-up still has a target.
    private let semaphores: [CountingSemaphore]
    let timer = KernelTimer()

    init(
        name: String, concurrency: Int = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))), idleTime: Duration = .seconds(5),
        stallTimeout: Duration = .milliseconds(10)
    ) {
        ForkHandling.install()
        self.name = name
        semaphores = (0..<64).map { _ in CountingSemaphore() }
        state = Lock(
            ThreadPoolState(
                concurrency: concurrency, maxThreads: semaphores.count, idleTime: idleTime, stallTimeout: stallTimeout,
                hasKernelTimer: timer.isIntact))
    }

    /// Runs the job on a worker as soon as possible.
    func run(_ job: @escaping @Sendable () -> Void) {
        if ForkHandling.isForkedChild { return }
        let worker = nonBlockingWorker
        change { $0.posted(job, by: worker) }
    }

    /// Runs the job immediately when called on a worker that is not inside ``blocking(_:)``; otherwise posts it.
    func runHereOrSoon(_ job: @escaping @Sendable () -> Void) {
        if nonBlockingWorker == nil { run(job) } else { job() }
    }

    /// Runs the job on a worker at `moment`, never earlier.
    ///
    /// - Parameter endsSoon: Whether the posting job ends soon and calls nothing after this that can block. Then no other
    ///   thread is woken to wait for the timer.
    func run(at moment: Instant, endsSoon: Bool = false, _ job: @escaping @Sendable () -> Void) {
        if ForkHandling.isForkedChild { return }
        let worker = nonBlockingWorker
        change { $0.posted(job, at: moment, by: worker, endsSoon: endsSoon) }
    }

    /// Runs `body`, which may never return, such as user code. On a worker, posted jobs do not wait for it to end.
    ///
    /// Checks, coders, key paths and comparisons run without this, because most return at once. User code on a worker
    /// may call the library and wait for the result, so every public function that posts jobs posts them inside this.
    static func blocking<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let worker = Worker.current, !worker.isInBlockingCall else { return try body() }
        worker.isInBlockingCall = true
        defer { worker.isInBlockingCall = false }
        worker.pool.mayBlock(worker.number)
        return try body()
    }

    /// The number of the calling worker, unless it is inside ``blocking(_:)``.
    private var nonBlockingWorker: Int? {
        guard let worker = Worker.current, worker.pool === self, !worker.isInBlockingCall else { return nil }
        return worker.number
    }

    private func mayBlock(_ worker: Int) { change { $0.mayBlock(worker) } }

    /// Changes the state, and wakes and starts workers accordingly.
    func change(_ body: (inout ThreadPoolState) -> ThreadPoolState.Wakeups) {
        // The child of a fork shares the timer with its parent.
        if ForkHandling.isForkedChild { return }
        perform(
            state.withLock { state in
                let wakeups = body(&state)
                return setTimer(wakeups) ? wakeups : wakeups.replacingTimer(by: state.timerFailed())
            })
    }

    /// Sets the timer if the wake-ups say so; false if that is no longer possible. Under the lock, so that the last
    /// moment that was decided is the one that stays.
    private func setTimer(_ wakeups: ThreadPoolState.Wakeups) -> Bool { wakeups.timer.map(timer.set) ?? true }

    private func perform(_ wakeups: ThreadPoolState.Wakeups) {
        for number in wakeups.woken { semaphores[number].signal() }
        for number in wakeups.started where !Worker.start(number, of: self) {
            state.withLock { $0.startFailed(number) }
            noteShortage()
        }
    }
}

// Called by workers.
extension ThreadPool {
    func next(for number: Int) -> ThreadPoolState.Step {
        let now = Instant.now
        let (step, wakeups) = state.withLock { $0.next(for: number, at: now, setTimer: setTimer) }
        perform(wakeups)
        return step
    }

    /// - Parameter onTimer: Whether the timer wakes the worker instead of its semaphore.
    func sleep(_ number: Int, until moment: Instant, onTimer: Bool) {
        if !onTimer {
            semaphores[number].wait(until: moment)
        } else if !timer.wait(until: moment) {
            change { $0.timerFailed() }
        }
    }
}

// Called by borrowed threads.
extension ThreadPool {
    func borrowedThreadArrived() -> Int? { state.withLock { $0.borrowedThreadArrived() } }

    func next(forBorrowedThread number: Int) -> Job? {
        var job: Job?
        change { state in
            let next = state.next(forBorrowedThread: number)
            job = next.job
            return next.wakeups
        }
        return job
    }

    func borrowedThreadBlocked(_ number: Int) { change { $0.borrowedThreadBlocked(number) } }
}
