internal import Locking

/// All who want to hear of changes of one session's value.
final class Subscriptions: Sendable {
    private struct State {
        var topics: [TopicKey: any Topic] = [:]
        var isOver = false
    }

    private let state = Lock(State())

    /// Tells everybody what is another in `edition`. One thread at a time.
    func bring(_ edition: AnyEdition) {
        // All are evaluated before anybody is told, so that nobody who was told waits for another's evaluation.
        let offers = state.withLock { Array($0.topics.values) }.compactMap { $0.bring(edition) }
        for offer in offers { offer() }
    }

    /// Adds a subscriber to the part of the value that `key` stands for. It has seen that part in an edition.
    func add<Value: Equatable & Sendable>(
        _ subscriber: Subscriber<Value>, to key: TopicKey, seen news: Subscriber<Value>.News,
        part: @escaping @Sendable (AnyEdition) -> Value
    ) -> Subscription {
        let latest = state.withLock { state -> Subscriber<Value>.News? in
            if state.isOver { return nil }
            // The key decides the type of the part.
            let topic = state.topics[key] as! ValueTopic<Value>? ?? ValueTopic(part, latest: news)
            state.topics[key] = topic
            return topic.add(subscriber)
        }
        if let latest { subscriber.offer(latest) } else { subscriber.finish() }
        return Subscription { [weak self] in
            self?.remove(ObjectIdentifier(subscriber), from: key)
            subscriber.cancel()
        }
    }

    private func remove(_ subscriber: ObjectIdentifier, from key: TopicKey) {
        _ = state.withLock { state in
            state.topics[key]?.remove(subscriber) == true ? state.topics.removeValue(forKey: key) : nil
        }
    }

    var isEmpty: Bool { state.withLock { $0.topics.isEmpty } }

    /// Nothing more will come.
    func finish() {
        let topics = state.withLock { state in
            state.isOver = true
            defer { state.topics = [:] }
            return Array(state.topics.values)
        }
        for topic in topics { topic.finish() }
    }
}
