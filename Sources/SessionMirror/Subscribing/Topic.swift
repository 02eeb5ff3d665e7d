internal import Locking

/// A part of the value, with all who want to hear of it: evaluated once for each version that is brought.
protocol Topic: AnyObject, Sendable {
    /// Evaluates the part in `edition`. What comes back tells everybody; nil if nobody is to be told. One thread at a time.
    func bring(_ edition: AnyEdition) -> (@Sendable () -> Void)?

    /// Forgets a subscriber; whether none is left.
    func remove(_ subscriber: ObjectIdentifier) -> Bool

    /// Nothing more will come.
    func finish()
}

/// A topic whose part is got by `part`.
final class ValueTopic<Value: Equatable & Sendable>: Topic {
    private struct State {
        var latest: Subscriber<Value>.News
        var subscribers: [ObjectIdentifier: Subscriber<Value>] = [:]
    }

    private let part: @Sendable (AnyEdition) -> Value
    private let state: Lock<State>

    init(_ part: @escaping @Sendable (AnyEdition) -> Value, latest: Subscriber<Value>.News) {
        self.part = part
        state = Lock(State(latest: latest))
    }

    /// Adds one; what was brought last is to be offered to it, in case that it has not seen it.
    func add(_ subscriber: Subscriber<Value>) -> Subscriber<Value>.News {
        state.withLock { state in
            state.subscribers[ObjectIdentifier(subscriber)] = subscriber
            return state.latest
        }
    }

    func bring(_ edition: AnyEdition) -> (@Sendable () -> Void)? {
        let before = state.withLock { $0.latest }
        if edition.version <= before.version { return nil }
        let news = Subscriber<Value>.News(value: part(edition), version: edition.version, origin: edition.origin)
        let isChanged = news.value != before.value
        let subscribers = state.withLock { state in
            state.latest = news
            return isChanged ? Array(state.subscribers.values) : []
        }
        if subscribers.isEmpty { return nil }
        return { for subscriber in subscribers { subscriber.offer(news) } }
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
