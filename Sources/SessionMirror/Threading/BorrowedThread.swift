internal import Locking

/// A thread that does not belong to the pool and temporarily acts as a worker: it runs one job and the jobs which that
/// one posts.
///
/// This saves waking a worker. If the job takes long, in a slow file or a call that does not return, nobody else takes
/// care of what it posted, so another thread must call ``didBlock()``.
final class BorrowedThread: Sendable {
    private struct State {
        var number: Int?
        var didBlock = false
    }

    private let pool: ThreadPool
    private let job: Job
    private let state = Lock(State())

    init(of pool: ThreadPool, for job: @escaping Job) { (self.pool, self.job) = (pool, job) }

    /// Runs the job on the calling thread, then the jobs posted meanwhile. Posts the job to the pool instead if as many
    /// jobs run already as may.
    func run() {
        if ForkHandling.isForkedChild { return }
        guard let number = pool.borrowedThreadArrived() else { return pool.run(job) }
        let didBlock = state.withLock { state in
            state.number = number
            return state.didBlock
        }
        if didBlock { pool.borrowedThreadBlocked(number) }
        Worker(number: number, of: pool).asCurrentWorker {
            var next: Job? = job
            while let job = next, !ForkHandling.isForkedChild {
                job()
                next = pool.next(forBorrowedThread: number)
            }
        }
    }

    /// Hands everything that waits for this thread to workers, because its job takes long. May be called on any thread,
    /// also before ``run()``.
    func didBlock() {
        if ForkHandling.isForkedChild { return }
        let number = state.withLock { state in
            state.didBlock = true
            return state.number
        }
        if let number { pool.borrowedThreadBlocked(number) }
    }
}
