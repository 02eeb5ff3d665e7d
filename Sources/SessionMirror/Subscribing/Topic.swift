internal import Locking

/// A part of the value, with all who want to hear of it: evaluated once for each version that is brought.
protocol Topic<Root>: AnyObject, Sendable {
    associatedtype Root: Codable & Sendable

    /// Tells everybody if the part is another in `edition`. One thread at a time.
    func bring(_ edition: Edition<Root>)

    /// Forgets a subscriber; whether none is left.
    func remove(_ subscriber: ObjectIdentifier) -> Bool

    /// Nothing more will come.
    func finish()
}

/// A topic whose part is got by `part`.
final class ValueTopic<Root: Codable & Sendable, Value: Equatable & Sendable>: Topic {
    private struct State {
        var latest: Subscriber<Value>.News
        var subscribers: [ObjectIdentifier: Subscriber<Value>] = [:]
    }

    private let part: @Sendable (Edition<Root>) -> Value
    private let state: Lock<State>

    init(_ part: @escaping @Sendable (Edition<Root>) -> Value, latest: Subscriber<Value>.News) {
        self.part = part
        state = Lock(State(latest: latest))
    }

    /// Adds one that has seen the part in an edition of `version`: if a later one was brought already, it hears of it.
    func add(_ subscriber: Subscriber<Value>, seen version: Version) {
        let latest = state.withLock { state in
            state.subscribers[ObjectIdentifier(subscriber)] = subscriber
            return state.latest
        }
        if latest.version > version { subscriber.offer(latest) }
    }

    func bring(_ edition: Edition<Root>) {
        let before = state.withLock { $0.latest }
        if edition.version <= before.version { return }
        let news = Subscriber<Value>.News(value: part(edition), version: edition.version, origin: edition.origin)
        let isChanged = news.value != before.value
        let subscribers = state.withLock { state in
            state.latest = news
            return isChanged ? Array(state.subscribers.values) : []
        }
        for subscriber in subscribers { subscriber.offer(news) }
    }

    func remove(_ subscriber: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.subscribers[subscriber] = nil
            return state.subscribers.isEmpty
        }
    }

    func finish() {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.finish() }
    }
}
