public import LosslessJSON

extension Session {
    /// The changes of the value at a key path, for a loop; `changes(of: \.self)` for the whole.
    public func changes<Value: Equatable & Sendable>(
        of keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Changes<Value> { changes(of: .init(keyPath)) }

    /// The changes of the file's value at a pointer, which the file may not have: `changes(of: "/http/port")`.
    public func changes(of pointer: JSONPointer) -> Changes<JSON?> { changes(of: .init(pointer)) }

    /// Calls `body` with each change of the value at a key path, until the result is gone.
    ///
    /// ```swift
    /// let token = session.observe(\.limits) { limiter.limits = $0.new }
    /// ```
    ///
    /// The calls for one subscriber come one after the other, never under a lock; a slow one skips what came in between.
    public func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { observe(.init(keyPath), on: delivery, body) }

    /// Calls `body` with each change of the file's value at a pointer, until the result is gone.
    public func observe(
        _ pointer: JSONPointer, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<JSON?>) -> Void
    ) -> Subscription { observe(.init(pointer), on: delivery, body) }
}

extension Session {
    /// A part of the value that can be subscribed to.
    struct Part<Value: Equatable & Sendable>: Sendable {
        let key: TopicKey
        let get: @Sendable (Edition<Root>) -> Value

        init(_ keyPath: any KeyPath<Root, Value> & Sendable) {
            key = .keyPath(KeyPathIdentity(keyPath))
            get = { $0.root[keyPath: keyPath] }
        }

        /// Of the type that the session's editions have.
        func get(fromAny edition: AnyEdition) -> Value { get(unsafeDowncast(edition, to: Edition<Root>.self)) }

        func seen(in edition: Edition<Root>) -> Subscriber<Value>.News {
            Subscriber.News(value: get(edition), version: edition.version, origin: edition.origin)
        }
    }

    func changes<Value>(of part: Part<Value>) -> Changes<Value> {
        let seen = part.seen(in: published.current)
        return Changes(seen: seen) { subscribe($0, to: part, seen: seen) }
    }

    func observe<Value>(
        _ part: Part<Value>, on delivery: Delivery, _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription {
        let seen = part.seen(in: published.current)
        return subscribe(.callback(seen: seen, by: delivery, body), to: part, seen: seen)
    }

    private func subscribe<Value>(
        _ subscriber: Subscriber<Value>, to part: Part<Value>, seen: Subscriber<Value>.News
    ) -> Subscription {
        let subscription = bulletin.subscriptions.add(subscriber, to: part.key, seen: seen, part: part.get(fromAny:))
        // What was published since may have been brought to everybody before this one came.
        if published.current.version > seen.version { bulletin.post() }
        return subscription
    }
}

extension Session.Part where Value == JSON? {
    init(_ pointer: JSONPointer) {
        key = .pointer(pointer)
        get = { $0.json[at: pointer] }
    }
}
