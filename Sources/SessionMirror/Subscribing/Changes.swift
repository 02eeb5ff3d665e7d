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
    let calls: AsyncStream<Void>

    /// For `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self, calls: calls.makeAsyncIterator()) }

    /// For `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the subscription, which would end with the sequence.
        fileprivate let changes: Changes
        fileprivate var calls: AsyncStream<Void>.Iterator

        /// The next change; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change<Value>? {
            repeat {
                if let change = changes.subscriber.take() { return change }
            } while await calls.next(isolation: actor) != nil
            return nil
        }
    }
}

extension Changes {
    /// Changes from what was `seen` on; `subscribe` makes it known to the session.
    init(seen news: Subscriber<Value>.News, subscribe: (Subscriber<Value>) -> Subscription) {
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.calls = calls
        subscriber = Subscriber(seen: news, call: { _ in continuation.yield() }, end: { continuation.finish() })
        subscription = subscribe(subscriber)
    }
}
