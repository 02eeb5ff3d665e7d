internal import VisibleText

/// A change to an observed value.
public struct Change<Value: Sendable>: Sendable {
    /// The previous value: the one this subscriber received last, or the value at the time it subscribed.
    public let old: Value

    /// The current value.
    public let new: Value

    /// The version that has the new value.
    public let version: Version

    /// What changed the value: this program, or an edit of the file, whichever way it was loaded. If both did, the
    /// edit.
    public let origin: Origin

    /// Creates a change, for tests of code that handles one.
    public init(old: Value, new: Value, version: Version = Version(1), origin: Origin = .external) {
        (self.old, self.new, self.version, self.origin) = (old, new, version, origin)
    }
}

extension Change: Equatable where Value: Equatable {}

extension Change: CustomStringConvertible {
    /// The values, the version and the origin, on one line.
    public var description: String {
        let (old, new) = ("\(old)".visible(upTo: 500), "\(new)".visible(upTo: 500))
        return "\(old) → \(new) (version \(version), \(origin.rawValue))"
    }
}

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
    init(
        after initial: VersionedValue<Value>, deliveringInitial: Bool, subscribe: (Subscriber<Value>) -> Subscription
    ) {
        let signal = AsyncSignal()
        self.signal = signal
        subscriber = Subscriber(
            initial: initial, deliversInitial: deliveringInitial, notify: { _ in signal.signal() },
            onFinish: signal.finish)
        subscription = subscribe(subscriber)
    }
}

/// An asynchronous sequence of an observed value: the current one first, then each new one. For one loop.
///
/// ```swift
/// for await port in session.values(of: \.port) { listen(on: port) }
/// ```
///
/// A slow loop skips intermediate values and continues with the latest. The sequence ends when the session is closed or
/// released, or the task is cancelled.
public struct Values<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = Value
    /// The sequence never throws.
    public typealias Failure = Never

    private let changes: Changes<Value>

    /// - Parameter changes: Those that begin with the current value.
    package init(changes: Changes<Value>) { self.changes = changes }

    /// Creates the iterator for `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

    /// The iterator for `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: Changes<Value>.Iterator

        /// Returns the current value, then the next one; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await changes.next(isolation: actor)?.new
        }
    }
}
