extension Session {
    /// Returns an asynchronous sequence of the value at a key path: the current one first, then each new one.
    ///
    /// ```swift
    /// for await port in session.values(of: \.port) { listen(on: port) }
    /// ```
    ///
    /// The key path is evaluated for every version, on a thread of the library, and a key path that traps ends the
    /// process. Observe an array element as `\.list[at: 0]`, never as `\.list[0]`, because an edit of the file may make
    /// the array shorter. This applies to all ways to observe.
    public func values<Value: Equatable & Sendable>(
        of keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Values<Value> { Values(changes: changes(of: .init(keyPath), initial: true)) }

    /// Returns an asynchronous sequence of the changes to the value at a key path; `changes(of: \.self)` for the whole
    /// value. The first element is the first change, not the current value: for that, use `values(of:)`.
    public func changes<Value: Equatable & Sendable>(
        of keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Changes<Value> { changes(of: .init(keyPath)) }

    /// Calls `body` with each change to the value at a key path, until the result is released.
    ///
    /// ```swift
    /// let token = session.observe(\.limits, initial: true) { limiter.limits = $0.new }
    /// ```
    ///
    /// The callbacks of one subscriber run one after the other, never under a lock. A slow subscriber skips
    /// intermediate values.
    ///
    /// The thread of the callback blocks nearly all signals. A program started there inherits that mask, unless it is
    /// started by ``ChildProcess``.
    ///
    /// - Parameters:
    ///   - keyPath: The value, for example `\.limits.burst`.
    ///   - initial: Whether to begin with the current value. Both values of that first change are the current one.
    ///   - delivery: Where callbacks run.
    ///   - body: Called with each change.
    public func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, initial: Bool = false, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { observe(.init(keyPath), initial, Callback(on: delivery, body)) }

    /// Calls `body` on the main actor with each change to the value at a key path, until the result is released.
    public func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, initial: Bool = false, on delivery: MainActorDelivery,
        _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription { observe(.init(keyPath), initial, Callback(on: delivery, body)) }

    /// Calls `body` on an actor with each change to the value at a key path, until the result is released. Does not
    /// keep the actor alive.
    ///
    /// ```swift
    /// token = session.observe(\.limits, on: self) { limiter, change in limiter.limits = change.new }
    /// ```
    public func observe<Value: Equatable & Sendable, Target: Actor>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, initial: Bool = false, on actor: Target,
        _ body: @escaping @Sendable (isolated Target, Change<Value>) -> Void
    ) -> Subscription { observe(.init(keyPath), initial, Callback(on: actor, body)) }

    /// Calls `body` with each change to the value at a key path, as long as `owner` exists. Does not keep the owner
    /// alive.
    ///
    /// ```swift
    /// session.observe(\.limits, while: self) { limiter, change in limiter.apply(change.new) }
    /// ```
    ///
    /// The resources of the subscription are released with the next change of the session after the owner was released.
    public func observe<Value: Equatable & Sendable, Owner: AnyObject & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, initial: Bool = false, while owner: Owner,
        on delivery: Delivery = .background, _ body: @escaping @Sendable (Owner, Change<Value>) -> Void
    ) { observe(.init(keyPath), initial, while: owner, Callback(while: owner, on: delivery, body)) }

    /// Calls `body` on the main actor with each change to the value at a key path, as long as `owner` exists. Does not
    /// keep the owner alive.
    public func observe<Value: Equatable & Sendable, Owner: AnyObject & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, initial: Bool = false, while owner: Owner,
        on delivery: MainActorDelivery, _ body: @escaping @MainActor (Owner, Change<Value>) -> Void
    ) { observe(.init(keyPath), initial, while: owner, Callback(while: owner, on: delivery, body)) }
}

extension Session {
    /// A function from a snapshot to the observed part of the value, and its identity.
    struct Projection<Value: Equatable & Sendable>: Sendable {
        let key: ProjectionKey
        let get: @Sendable (SnapshotStorage<Root>) -> Value

        init(_ keyPath: any KeyPath<Root, Value> & Sendable) {
            key = .keyPath(KeyPathIdentity(keyPath))
            get = { $0.root[keyPath: keyPath] }
        }

        /// - Precondition: `snapshot` has the type of this session's snapshots.
        func get(fromAny snapshot: AnySnapshotStorage) -> Value {
            get(unsafeDowncast(snapshot, to: SnapshotStorage<Root>.self))
        }

        func value(in snapshot: SnapshotStorage<Root>) -> VersionedValue<Value> {
            VersionedValue(value: get(snapshot), version: snapshot.version, origin: snapshot.origin)
        }
    }

    func changes<Value>(of projection: Projection<Value>, initial isInitialDue: Bool = false) -> Changes<Value> {
        let initial = projection.value(in: snapshotCell.current)
        return Changes(after: initial, deliveringInitial: isInitialDue) {
            subscribe($0, to: projection, having: initial)
        }
    }

    func observe<Value>(
        _ projection: Projection<Value>, _ isInitialDue: Bool, _ callback: Callback<Change<Value>>
    ) -> Subscription {
        let initial = projection.value(in: snapshotCell.current)
        let subscriber = Subscriber(initial: initial, deliversInitial: isInitialDue) { subscriber in
            callback.run(subscriber.deliverNext)
        }
        return subscribe(subscriber, to: projection, having: initial)
    }

    func observe<Value>(
        _ projection: Projection<Value>, _ isInitialDue: Bool, while owner: any AnyObject & Sendable,
        _ callback: Callback<Change<Value>>
    ) {
        dispatcher.ownedSubscriptions.add(observe(projection, isInitialDue, callback), while: owner)
        // Closed before it was added.
        if dispatcher.isFinished { dispatcher.ownedSubscriptions.detachAll() }
    }

    func subscribe<Value>(
        _ subscriber: Subscriber<Value>, to projection: Projection<Value>, having initial: VersionedValue<Value>
    ) -> Subscription {
        ThreadPool.blocking {
            let subscription = dispatcher.subscriptions.add(
                subscriber, to: projection.key, having: initial, projection: projection.get(fromAny:))
            // A newer version may have been delivered before this subscriber was added.
            if snapshotCell.current.version > initial.version { dispatcher.post() }
            return subscription
        }
    }
}
