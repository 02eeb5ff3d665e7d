internal import FileWatching
internal import Locking
internal import Synchronization

/// Whether the system refuses to create threads.
final class ThreadShortage: Sendable {
    /// Whether a thread was needed and could not be created at the last attempt.
    let isPresent = Atomic(false)
    /// Whether the watching thread is going to help.
    let isHelpScheduled = Atomic(false)
}

// While the system cannot create threads, the existing workers continue. When none of them makes progress, other
// threads help:
//
// - The thread that watches files retries starting workers, and runs the jobs itself while none starts.
// - A thread that waits for the disk does the same.
// - Without either, every post and every query of the status retries starting workers.
extension ThreadPool {
    /// Whether work waits for a thread that the system cannot create.
    var isShortOfThreads: Bool { shortage.isPresent.load(ordering: .relaxed) }

    /// Records that a worker could not be started.
    func noteShortage() {
        guard state.withLock({ $0.isShortOfThreads }) else { return }
        shortage.isPresent.store(true, ordering: .relaxed)
        requestHelp()
    }

    /// Retries starting workers if the last attempt failed.
    func retryStartsIfShort() {
        if isShortOfThreads, !ForkHandling.isForkedChild { retryStarts() }
    }

    /// Retries starting workers, and returns whether a thread is still missing.
    @discardableResult
    private func retryStarts() -> Bool {
        change { $0.retryWakeups() }
        let isShort = state.withLock { $0.isShortOfThreads }
        shortage.isPresent.store(isShort, ordering: .relaxed)
        if isShort { requestHelp() }
        return isShort
    }

    private func requestHelp() {
        if shortage.isHelpScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
        let isScheduled = FileWatch.scheduleOnWatchingThread(at: .now + Self.gracePeriod) { [weak self] in
            self?.helpOnWatchingThread()
        }
        if !isScheduled { shortage.isHelpScheduled.store(false, ordering: .releasing) }
    }

    /// A shorter shortage needs no help.
    private static var gracePeriod: Duration { .milliseconds(10) }

    /// When to help next; nil once no thread is missing.
    private func helpOnWatchingThread() -> Instant? {
        if let next = helpOnce() { return next }
        shortage.isHelpScheduled.store(false, ordering: .releasing)
        // A start may have failed just before.
        retryStartsIfShort()
        return nil
    }

    /// Retries starting workers, and runs one job on the calling thread if none starts.
    ///
    /// - Returns: When to help next; nil once no thread is missing.
    func helpOnce() -> Instant? {
        if ForkHandling.isForkedChild || !retryStarts() { return nil }
        guard let (number, job) = state.withLock({ $0.jobForHelper(at: .now) }) else {
            return state.withLock { $0.nextHelp(after: .now) }
        }
        Worker(number: number, of: self).asCurrentWorker(job)
        if ForkHandling.isForkedChild { return nil }
        change { $0.helperFinished(number) }
        return .now
    }

    /// Waits for the semaphore, which usually a job signals, and helps meanwhile if threads are missing; false if the
    /// deadline passed first.
    @discardableResult
    func sleep(on semaphore: CountingSemaphore, until deadline: Instant = .distantFuture) -> Bool {
        while true {
            if semaphore.wait(until: min(deadline, .now + .milliseconds(50))) { return true }
            if .now >= deadline { return false }
            if isShortOfThreads { help(until: deadline) }
        }
    }

    /// Runs jobs here as long as no other thread runs them.
    private func help(until deadline: Instant) {
        while let next = helpOnce(), next <= .now, .now < deadline {}
    }

    /// Helps if the watching thread is not going to, for callers that wait without a thread.
    func helpIfUnattended() {
        guard isShortOfThreads, !shortage.isHelpScheduled.load(ordering: .acquiring) else { return }
        // The first round only finds out whether another thread is at work.
        for _ in 0..<2 { help(until: .distantFuture) }
    }
}
