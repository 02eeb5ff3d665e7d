/// Where the callbacks of a subscriber run. The callbacks of one subscriber always run one after the other.
///
/// ```swift
/// let token = session.observe(\.port, on: .executor(pool)) { change in … }
/// ```
///
/// Pass ``MainActorDelivery/mainActor`` to run callbacks on the main actor, or an actor to run them there.
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

    /// Passes each callback to `run`, which must call it exactly once and soon, and on another thread unless it is
    /// quick.
    ///
    /// ```swift
    /// .custom { job in queue.async(execute: job) }
    /// ```
    public static func custom(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> Delivery {
        Delivery { job in ThreadPool.blocking { run(job) } }
    }
}

/// Runs the callbacks of a subscriber on the main actor.
///
/// ```swift
/// let token = session.observe(\.title, on: .mainActor) { [window] change in window.title = change.new }
/// ```
public struct MainActorDelivery: Sendable {
    /// Runs callbacks on the main actor.
    public static let mainActor = MainActorDelivery()
}

/// Runs the callback of one subscriber with its items, in order.
struct Callback<Item: Sendable>: Sendable {
    /// Calls the callback with each item that `take` returns, until it returns nil; soon, and where the callback runs.
    let run: @Sendable (_ take: @escaping @Sendable () -> Item?) -> Void

    init(on delivery: Delivery, _ body: @escaping @Sendable (Item) -> Void) {
        run = { take in
            delivery.run {
                while let item = take() { body(item) }
            }
        }
    }

    init(on delivery: MainActorDelivery, _ body: @escaping @MainActor (Item) -> Void) {
        run = { take in
            Task { @MainActor in
                while let item = take() { body(item) }
            }
        }
    }

    /// Does not keep the actor alive.
    init<Target: Actor>(on actor: Target, _ body: @escaping @Sendable (isolated Target, Item) -> Void) {
        run = { [weak actor] take in
            guard let actor else { return }
            Task { await Self.call(body, on: actor, take) }
        }
    }

    private static func call<Target: Actor>(
        _ body: @Sendable (isolated Target, Item) -> Void, on actor: isolated Target, _ take: @Sendable () -> Item?
    ) {
        while let item = take() { body(actor, item) }
    }

    /// Does not keep the owner alive.
    init<Owner: AnyObject & Sendable>(
        while owner: Owner, on delivery: Delivery, _ body: @escaping @Sendable (Owner, Item) -> Void
    ) {
        self.init(on: delivery) { [weak owner] item in if let owner { body(owner, item) } }
    }

    /// Does not keep the owner alive.
    init<Owner: AnyObject & Sendable>(
        while owner: Owner, on delivery: MainActorDelivery, _ body: @escaping @MainActor (Owner, Item) -> Void
    ) {
        self.init(on: delivery) { [weak owner] item in if let owner { body(owner, item) } }
    }
}
