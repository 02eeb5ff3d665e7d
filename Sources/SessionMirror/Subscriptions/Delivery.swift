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
    /// Calls its argument with the next item, and returns false if there is none. To receive an optional item instead,
    /// the caller would look up its type each time.
    typealias Items = @Sendable (_ body: (Item) -> Void) -> Bool

    /// Calls the callback with each item until there is none; soon, and where the callback runs.
    let run: @Sendable (_ items: @escaping Items) -> Void

    init(on delivery: Delivery, _ body: @escaping @Sendable (Item) -> Void) {
        run = { items in
            delivery.run {
                while items(body) {}
            }
        }
    }

    init(on delivery: MainActorDelivery, _ body: @escaping @MainActor (Item) -> Void) {
        run = { items in
            Task { @MainActor in
                while items({ item in body(item) }) {}
            }
        }
    }

    /// Does not keep the actor alive.
    init<Target: Actor>(on actor: Target, _ body: @escaping @Sendable (isolated Target, Item) -> Void) {
        run = { [weak actor] items in
            guard let actor else { return }
            Task { await Self.call(body, on: actor, items) }
        }
    }

    private static func call<Target: Actor>(
        _ body: @escaping @Sendable (isolated Target, Item) -> Void, on actor: isolated Target, _ items: Items
    ) {
        while items({ item in body(actor, item) }) {}
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
