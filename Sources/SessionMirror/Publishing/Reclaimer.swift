internal import CLinux
internal import CReadCopyUpdate
internal import Glibc
internal import Locking

/// Releases what was replaced when nobody can be reading it any more.
///
/// Retired objects gather for a moment; then one worker waits for all who were reading, and releases them: never on the
/// thread that replaced them, and never two batches at a time.
///
/// A writer in a tight loop is faster than the end of readers. Where more than `backlog` objects wait, retiring another
/// one waits for the end of the present batch, 1 ms at most. So the writer is slowed down to the pace of releasing;
/// and while somebody reads for seconds, or a `deinit` takes as long, memory grows by a thousand objects a second at
/// most. Who is reading, and what is being released, does not wait.
final class Reclaimer: Sendable {
    static let shared = Reclaimer(workers: .shared)

    /// How many objects may wait before writers are slowed down.
    static let backlog = 1024

    /// Known to nobody any more but readers who began before, so the thread that releases it is alone with it.
    private struct Retired: @unchecked Sendable { let object: UnsafeRawPointer }

    private struct State {
        var retirement = Retirement<Retired>(fullBatch: Reclaimer.backlog / 4)
        var releasing: pthread_t?
        var writersWaiting = 0
    }

    private let workers: Workers
    private let state = Lock(State())
    private let batchIsOver = Parking()

    init(workers: Workers) { self.workers = workers }

    /// Takes over one reference to an object that is no longer published.
    func retire(_ object: UnsafeRawPointer) {
        let retired = Retired(object: object)
        let (step, isTooMany) = state.withLock { state in
            let step = state.retirement.retired(retired)
            return (step, state.retirement.count > Self.backlog && state.releasing != pthread_self())
        }
        perform(step)
        if isTooMany, !Reading.isGoingOn { waitForBatch() }
    }

    private func perform(_ step: Retirement<Retired>.Step) {
        switch step {
        case .nothing: break
        case .beginLater: workers.run(at: .now + .milliseconds(10)) { self.releaseBatch(step) }
        case .beginNow: workers.run { self.releaseBatch(step) }
        }
    }

    private func releaseBatch(_ step: Retirement<Retired>.Step) {
        let batch = state.withLock { state in
            let batch = state.retirement.begin(step)
            if !batch.isEmpty { state.releasing = pthread_self() }
            return batch
        }
        if batch.isEmpty { return }
        rcu_wait_for_readers()
        Workers.callingOut { Self.release(batch) }
        let (next, waiting) = state.withLock { state in
            defer { (state.releasing, state.writersWaiting) = (nil, 0) }
            return (state.retirement.released(), state.writersWaiting)
        }
        for _ in 0..<waiting { batchIsOver.wake() }
        perform(next)
    }

    private static func release(_ batch: [Retired]) {
        for retired in batch {
            clinux_sanitizer_acquire(retired.object)
            Unmanaged<AnyObject>.fromOpaque(retired.object).release()
        }
    }

    private func waitForBatch() {
        state.withLock { $0.writersWaiting += 1 }
        if batchIsOver.sleep(until: .now + .milliseconds(1)) { return }
        state.withLock { $0.writersWaiting = max(0, $0.writersWaiting - 1) }
    }
}
