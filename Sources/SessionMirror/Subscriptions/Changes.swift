/// A change to an observed value.
public struct Change<Value: Sendable>: Sendable {
    /// The previous value: the one this subscriber received last, or the value at the time it subscribed.
    public let old: Value

    /// The current value.
    public let new: Value

    /// The version that has the new value.
    public let version: Version

    /// What created that version.
    public let origin: Origin
}

extension Change: Equatable where Value: Equatable {}

/// An asynchronous sequence of the changes to an observed value, starting when it is created. For one loop.
///
/// ```swift
/// for await change in session.changes(of: \.greeting) {
///     print("\(change.old) → \(change.new)")
/// }
/// ```
///
/// A slow loop skips intermediate values and continues with the latest. The sequence ends when the session is closed or
/// released, or the task is cancelled.
public struct Changes<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = Change<Value>
    /// The sequence never throws.
    public typealias Failure = Never

    let subscriber: Subscriber<Value>
    let subscription: Subscription
    let signal: AsyncSignal

    /// Creates the iterator for `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self, signal: signal.makeIterator()) }

    /// The iterator for `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the subscription alive.
        fileprivate let changes: Changes
        fileprivate var signal: AsyncSignal.Iterator

        /// Returns the next change; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change<Value>? {
            await signal.next(isolation: actor, from: changes.subscriber.take)
        }
    }
}

extension Changes {
    /// Creates the sequence of changes after `initial`. `subscribe` registers the subscriber with the session.
    init(after initial: VersionedValue<Value>, subscribe: (Subscriber<Value>) -> Subscription) {
        let signal = AsyncSignal()
        self.signal = signal
        subscriber = Subscriber(initial: initial, notify: { _ in signal.signal() }, onFinish: signal.finish)
        subscription = subscribe(subscriber)
    }
}
