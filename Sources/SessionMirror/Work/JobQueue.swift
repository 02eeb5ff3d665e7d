/// Something to be done once.
typealias Job = @Sendable () -> Void

/// Jobs, the first that came in front.
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
            // The room that a burst needed is not kept for ever.
            jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
            front = 0
        } else if front >= 1024, front * 2 >= jobs.count {
            jobs.removeFirst(front)
            front = 0
        }
        return job
    }
}
