/// The changes of a part of a session's value, from the moment it was asked for, for one loop.
///
/// ```swift
/// for await change in session.changes(of: \.greeting) {
///     print("\(change.old) → \(change.new)")
/// }
/// ```
///
/// A loop that is slow skips what came in between and goes on with the newest. It ends when the session is closed or
/// gone, or its task is cancelled.
public struct Changes<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// What the loop gets.
    public typealias Element = Change<Value>
    /// It never fails.
    public typealias Failure = Never

    let subscriber: Subscriber<Value>
    let subscription: Subscription
    let calls: Calls

    /// For `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self, calls: calls.makeIterator()) }

    /// For `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the subscription, which would end with the sequence.
        fileprivate let changes: Changes
        fileprivate var calls: Calls.Iterator

        /// The next change; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change<Value>? {
            await calls.next(isolation: actor, from: changes.subscriber.take)
        }
    }
}

extension Changes {
    /// Changes from what was `seen` on; `subscribe` makes it known to the session.
    init(seen news: Subscriber<Value>.News, subscribe: (Subscriber<Value>) -> Subscription) {
        let calls = Calls()
        self.calls = calls
        subscriber = Subscriber(seen: news, call: { _ in calls.call() }, end: calls.end)
        subscription = subscribe(subscriber)
    }
}
