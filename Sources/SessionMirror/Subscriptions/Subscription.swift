internal import Locking

/// Keeps a subscription alive. Releasing or cancelling it ends the callbacks.
///
/// After ``cancel()`` has returned, no further callback begins and no loop receives a further change. ``cancel()`` does not
/// wait for a callback that is already running on another thread, so whatever that callback uses must outlive it.
/// Therefore cancelling cannot deadlock, even inside its own callback.
public final class Subscription: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    /// - Parameter end: Ends the subscription; may be called more than once.
    init(_ end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

    deinit { cancel() }

    /// Ends the subscription.
    ///
    /// No callback begins after this has returned, on whichever thread it is called.
    public func cancel() {
        guard let end = end.withLock({ $0 }) else { return }
        end()
        // Releases the closure outside the lock, because that may run user code.
        _ = self.end.withLock { $0.take() }
    }
}

/// Where the callbacks of a subscriber run. The callbacks of one subscriber always run one after the other.
///
/// ```swift
/// let token = session.observe(\.port, on: .executor(pool)) { change in … }
/// ```
public struct Delivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Runs callbacks on a thread of the library, which a callback may block for as long as it needs. The default.
    ///
    /// This thread blocks nearly all signals, and a program started on it inherits that mask; see ``ChildProcess``.
    public static let background = Delivery { job in ThreadPool.shared.run { ThreadPool.blocking(job) } }

    /// Runs callbacks in tasks on the given executor.
    public static func executor(_ executor: any TaskExecutor) -> Delivery {
        Delivery { job in Task(executorPreference: executor) { job() } }
    }

    /// Runs callbacks on the main actor.
    public static let mainActor = Delivery { job in Task { @MainActor in job() } }

    /// Passes each callback to `run`, which must call it exactly once and soon, and on another thread unless it is quick.
    ///
    /// ```swift
    /// .custom { job in queue.async(execute: job) }
    /// ```
    public static func custom(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> Delivery {
        Delivery { job in ThreadPool.blocking { run(job) } }
    }
}
