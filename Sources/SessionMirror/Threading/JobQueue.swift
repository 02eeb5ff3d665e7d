internal import Locking

/// A unit of work of the thread pool.
typealias Job = @Sendable () -> Void

/// A FIFO queue of jobs.
struct JobQueue {
    private var jobs: [Job?] = []
    private var front = 0

    var isEmpty: Bool { front == jobs.count }

    mutating func append(_ job: @escaping Job) { jobs.append(job) }

    mutating func takeFirst() -> Job? {
        if isEmpty { return nil }
        let job = jobs[front].take()
        front += 1
        if isEmpty {
            // Frees the capacity that a burst needed.
            jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
            front = 0
        } else if front >= 1024, front * 2 >= jobs.count {
            jobs.removeFirst(front)
            front = 0
        }
        return job
    }
}

/// A priority queue of jobs by due time; jobs of the same moment stay in FIFO order.
struct TimerQueue {
    private struct Timer {
        let moment: Instant
        let number: UInt64
        let job: Job

        static func < (a: Timer, b: Timer) -> Bool { (a.moment, a.number) < (b.moment, b.number) }
    }

    /// A binary heap: each timer is no later than its two children.
    private var timers: [Timer] = []
    private var count: UInt64 = 0

    /// The due time of the earliest job.
    var first: Instant? { timers.first?.moment }

    mutating func add(_ job: @escaping Job, at moment: Instant) {
        count += 1
        timers.append(Timer(moment: moment, number: count, job: job))
        var index = timers.count - 1
        while index > 0, timers[index] < timers[(index - 1) / 2] {
            timers.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the earliest job, if it is due.
    mutating func takeFirst(at now: Instant) -> Job? {
        guard let first, first <= now else { return nil }
        timers.swapAt(0, timers.count - 1)
        let job = timers.removeLast().job
        sink()
        return job
    }

    private mutating func sink() {
        var index = 0
        while true {
            let children = (2 * index + 1)..<min(2 * index + 3, max(timers.count, 2 * index + 1))
            guard let earlier = children.min(by: { timers[$0] < timers[$1] }), timers[earlier] < timers[index] else {
                return
            }
            timers.swapAt(index, earlier)
            index = earlier
        }
    }
}
