internal import Locking

/// Keeps a subscription alive. Releasing or cancelling it ends the callbacks.
///
/// ```swift
/// final class Listener {
///     private var subscriptions: Set<Subscription> = []
///
///     init(_ session: Session<Server>) {
///         session.observe(\.port) { print($0.new) }.store(in: &subscriptions)
///     }
/// }
/// ```
///
/// A local variable, or `_`, does not keep the subscription beyond its last use: store it where it lives as long as the
/// callbacks are wanted, or bind it to an object with
/// `observe(_:while:)`.
///
/// After ``cancel()`` has returned, no further callback begins and no loop receives a further change. ``cancel()`` does
/// not wait for a callback that is already running on another thread, so whatever that callback uses must outlive it.
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

    /// Stores the subscription in a set, so that it lasts as long as the set.
    public func store(in set: inout Set<Subscription>) { set.insert(self) }

    /// Lets the subscription continue without this object.
    func detach() { _ = end.withLock { $0.take() } }
}

extension Subscription: Hashable {
    /// Whether two subscriptions are the same object.
    public static func == (a: Subscription, b: Subscription) -> Bool { a === b }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The subscriptions that last as long as an object other than the ``Subscription``.
final class OwnedSubscriptions: Sendable {
    private struct Entry: Sendable {
        weak let owner: (any AnyObject & Sendable)?
        let subscription: Subscription
    }

    private let entries = Lock<[Entry]>([])

    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    /// Keeps the subscription while `owner` exists, and until the session is closed.
    func add(_ subscription: Subscription, while owner: any AnyObject & Sendable) {
        removeOrphans()
        entries.withLock { $0.append(Entry(owner: owner, subscription: subscription)) }
    }

    /// Ends the subscriptions whose owners no longer exist.
    func removeOrphans() {
        // Released outside the lock, because that ends the subscriptions, and releases what their callbacks capture.
        _ = entries.withLock { entries -> [Entry] in
            if entries.isEmpty { return [] }
            // Partitioned once, because an owner may be released meanwhile.
            let isOwned = entries.map { $0.owner != nil }
            defer { entries = zip(entries, isOwned).compactMap { $1 ? $0 : nil } }
            return entries
        }
    }

    /// Forgets the subscriptions without ending them, because no more changes will come, but the last ones may still be
    /// on their way.
    func detachAll() {
        let all = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        for entry in all { entry.subscription.detach() }
    }
}
