internal import Locking

/// A thread that is none of the workers and does as those do for a moment: a job of its own, and what that leads to.
///
/// Nobody has to be woken for it. So nobody is there if it takes long, in a slow file or a call that does not return:
/// then somebody must call ``stays()``.
final class Guest: Sendable {
    private struct State {
        var number: Int?
        var stays = false
    }

    private let workers: Workers
    private let job: Job
    private let state = Lock(State())

    init(of workers: Workers, for job: @escaping Job) { (self.workers, self.job) = (workers, job) }

    /// Does it here, then what was posted meanwhile. If as many jobs run as may, a worker does it, soon.
    func work() {
        if Forking.madeThisProcess { return }
        guard let number = workers.guestCame() else { return workers.run(job) }
        let stays = state.withLock { state in
            state.number = number
            return state.stays
        }
        if stays { workers.guestStays(number) }
        Worker(number: number, of: workers).embodied {
            var next: Job? = job
            while let job = next, !Forking.madeThisProcess {
                job()
                next = workers.next(forGuest: number)
            }
        }
    }

    /// It takes long: what waits for it is given to workers. On any thread, also before it has begun.
    func stays() {
        if Forking.madeThisProcess { return }
        let number = state.withLock { state in
            state.stays = true
            return state.number
        }
        if let number { workers.guestStays(number) }
    }
}
