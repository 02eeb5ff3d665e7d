internal import Glibc
internal import Locking

/// Work that a handler has deferred until all handlers have been called.
struct DeferredWork {
    let body: () -> Void
    /// Called by the thread that takes the loop over, if `body` takes too long.
    let onTakeover: () -> Void
}

/// The threads that can run the watch loop: one leader, and at times a follower that waits to replace it.
///
/// The thread that received an event is running and has the event's data in its caches, so running the reaction right
/// there costs less than waking another thread. Nothing is watched meanwhile. If the work takes longer than half a
/// millisecond, or than five milliseconds if the last works took less than half of one, the watchdog wakes the follower,
/// which runs the loop from then on. The work for a small file takes less than half a millisecond, also on a slow machine
/// whose caches have been used by others; waking the follower earlier made it take longer.
///
/// The follower exists only while work was deferred within the last seconds. There are at most two threads: a leader
/// that does not return from its work is not replaced a second time.
final class LeaderFollower: Sendable {
    /// A loop and the callback for the thread that takes it over.
    // Safe to send: it belongs to the one thread that takes it out of the state.
    private struct Handover: @unchecked Sendable {
        let loop: WatchLoop
        let onTakeover: () -> Void
    }

    /// The longest time without a running loop, and that after works which took less, in nanoseconds.
    private static let (takeoverDelay, extendedDelay): (Int64, Int64) = (500_000, 5_000_000)
    /// How long an unused follower waits before it may exit, in nanoseconds.
    private static let followerTimeout: Int64 = 5_000_000_000

    private let state = Lock(LeaderState<Handover>())
    private let watchdog = Watchdog(limit: takeoverDelay, extendedLimit: extendedDelay)
    private let process = getpid()

    /// Runs the loop on the calling thread until the loop stops or the thread is no longer needed.
    func run(_ first: WatchLoop) {
        var loop = first
        while let work = loop.run() {
            let handover = Handover(loop: loop, onTakeover: work.onTakeover)
            state.withLock { $0.leaderLeft(handover) }
            watchdog.leaderLeft()
            work.body()
            // A child that the work forked must not touch the descriptors of its parent.
            if getpid() != process { return }
            if state.withLock({ $0.leaderReturned() }) {
                watchdog.leaderReturned()
                continue
            }
            guard let next = follow() else { return }
            loop = next
        }
    }

    /// Reserves the follower to take the loop over. Returns false if there is none.
    func reserveFollower() -> Bool { state.withLock { $0.reserveFollower() } }

    /// Creates a follower unless there are two threads already.
    func addFollower() {
        guard state.withLock({ $0.addThread() }) else { return }
        // No thread waits on the watchdog now.
        let isCreated =
            watchdog.reopenIfNeeded()
            && SignalBlockingThread.start(named: WatchService.threadName) {
                if let loop = self.follow() { self.run(loop) }
            } == 0
        if !isCreated { state.withLock { $0.threadCreationFailed() } }
    }

    /// Waits until the leader has been absent too long and returns its loop; nil when the follower must exit.
    private func follow() -> WatchLoop? {
        state.withLock { $0.followerStarted() }
        while true {
            let result = watchdog.wait(atMost: Self.followerTimeout)
            let step = state.withLock { state in
                switch result {
                case .fired: state.watchdogFired()
                case .timedOut: state.followerTimedOut()
                case .broken: state.followerPolled()
                }
            }
            switch step {
            case .keepWaiting: continue
            case .exit: return nil
            case .lead(let handover):
                handover.onTakeover()
                return handover.loop
            }
        }
    }
}
