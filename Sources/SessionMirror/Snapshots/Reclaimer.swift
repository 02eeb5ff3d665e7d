internal import CLinux
internal import CReadCopyUpdate
internal import Glibc
internal import Locking

/// Releases replaced objects after the last reader that may hold them has ended.
///
/// Retired objects gather for a short time. Then one worker waits for all current readers and releases the batch: never
/// on the thread that replaced the objects, and never two batches at a time.
///
/// A writer in a tight loop is faster than the grace periods of the readers. While more than `backlog` objects wait,
/// retiring another one waits for the end of the current batch, 1 ms at most, which slows the writer down to the pace
/// of releasing. While a reader, or a `deinit`, takes seconds, memory grows by at most a thousand objects a second. A
/// thread that is reading, or releasing objects, does not wait.
final class Reclaimer: Sendable {
    static let shared = Reclaimer(pool: .shared)

    /// The number of waiting objects above which writers are slowed down.
    static let backlog = 1024

    /// Only readers that began earlier still use the object, so the releasing thread is the last owner.
    private struct Retired: @unchecked Sendable { let object: UnsafeRawPointer }

    private struct State {
        var retirement = RetirementQueue<Retired>(fullBatch: Reclaimer.backlog / 4)
        var releasing: pthread_t?
        var writersWaiting = 0
    }

    private let pool: ThreadPool
    private let state = Lock(State())
    private let batchIsOver = CountingSemaphore()

    init(pool: ThreadPool) { self.pool = pool }

    /// Consumes one reference to an object that is no longer published.
    ///
    /// - Parameter isWriter: Whether the caller is slowed down if too many objects wait.
    func retire(_ object: UnsafeRawPointer, isWriter: Bool = true) {
        let retired = Retired(object: object)
        let (step, isTooMany) = state.withLock { state in
            let step = state.retirement.retired(retired)
            return (step, state.retirement.count > Self.backlog && state.releasing != pthread_self())
        }
        perform(step)
        if isTooMany, isWriter, !ReadSection.isActive { waitForBatch() }
    }

    private func perform(_ step: RetirementQueue<Retired>.Step) {
        switch step {
        case .nothing: break
        case .beginLater: pool.run(at: .now + .milliseconds(10), endsSoon: true) { self.releaseBatch(step) }
        case .beginNow: pool.run { self.releaseBatch(step) }
        }
    }

    private func releaseBatch(_ step: RetirementQueue<Retired>.Step) {
        let batch = state.withLock { state in
            let batch = state.retirement.begin(step)
            if !batch.isEmpty { state.releasing = pthread_self() }
            return batch
        }
        if batch.isEmpty { return }
        rcu_wait_for_readers()
        ThreadPool.blocking { Self.release(batch) }
        let (next, waiting) = state.withLock { state in
            defer { (state.releasing, state.writersWaiting) = (nil, 0) }
            return (state.retirement.released(), state.writersWaiting)
        }
        for _ in 0..<waiting { batchIsOver.signal() }
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
        if batchIsOver.wait(until: .now + .milliseconds(1)) { return }
        state.withLock { $0.writersWaiting = max(0, $0.writersWaiting - 1) }
    }
}
