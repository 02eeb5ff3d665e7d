public import LosslessJSON

extension Session {
    /// Returns an asynchronous sequence of the changes to the value at a key path; `changes(of: \.self)` for the whole
    /// value.
    ///
    /// The key path is evaluated for every version, on a thread of the library, and a key path that traps ends the process.
    /// Observe an array element as `\.list[at: 0]`, never as `\.list[0]`.
    public func changes<Value: Equatable & Sendable>(
        of keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Changes<Value> { changes(of: .init(keyPath)) }

    /// Returns an asynchronous sequence of the changes to the file's value at a pointer, which the file need not have:
    /// `changes(of: "/http/port")`.
    public func changes(of pointer: JSONPointer) -> Changes<JSON?> { changes(of: .init(pointer)) }

    /// Calls `body` with each change to the value at a key path, until the result is released.
    ///
    /// ```swift
    /// let token = session.observe(\.limits) { limiter.limits = $0.new }
    /// ```
    ///
    /// The callbacks of one subscriber run one after the other, never under a lock. A slow subscriber skips intermediate
    /// values.
    ///
    /// The thread of the callback blocks nearly all signals. A program started there inherits that mask, unless it is
    /// started by ``ChildProcess``.
    ///
    /// The key path is evaluated for every version, on a thread of the library, and a key path that traps ends the process.
    /// Observe an array element as `\.list[at: 0]`, never as `\.list[0]`, because an edit of the file may make the array
    /// shorter.
    public func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { observe(.init(keyPath), on: delivery, body) }

    /// Calls `body` with each change to the file's value at a pointer, until the result is released.
    public func observe(
        _ pointer: JSONPointer, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<JSON?>) -> Void
    ) -> Subscription { observe(.init(pointer), on: delivery, body) }
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

    func changes<Value>(of projection: Projection<Value>) -> Changes<Value> {
        let initial = projection.value(in: snapshotCell.current)
        return Changes(after: initial) { subscribe($0, to: projection, having: initial) }
    }

    func observe<Value>(
        _ projection: Projection<Value>, on delivery: Delivery, _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription {
        let initial = projection.value(in: snapshotCell.current)
        return subscribe(.callback(initial: initial, on: delivery, body), to: projection, having: initial)
    }

    private func subscribe<Value>(
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

extension Session.Projection where Value == JSON? {
    init(_ pointer: JSONPointer) {
        key = .pointer(pointer)
        get = { $0.json[at: pointer] }
    }
}
