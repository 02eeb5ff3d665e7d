internal import Locking
internal import LosslessJSON

/// An observed part of the value and its subscribers, independent of the part's type.
protocol AnyObservedValue: AnyObject, Sendable {
    /// Evaluates the part in `snapshot` and returns a closure that offers it to the subscribers; nil if none needs it.
    /// One thread at a time.
    func evaluate(_ snapshot: AnySnapshotStorage) -> (@Sendable () -> Void)?

    /// Removes a subscriber, and returns whether none is left.
    func remove(_ subscriber: ObjectIdentifier) -> Bool

    /// Reports to all subscribers that no more values will come.
    func finish()
}

/// An observed part of the value and its subscribers. The part is evaluated once for each delivered version.
final class ObservedValue<Value: Equatable & Sendable>: AnyObservedValue {
    private struct State {
        var latest: VersionedValue<Value>
        /// The newest version that any subscriber had when it subscribed; may be newer than `latest`.
        var newestInitial: Version
        var subscribers: [ObjectIdentifier: Subscriber<Value>] = [:]
        /// The values of ``subscribers``; nil if they have changed since it was computed.
        var allSubscribers: [Subscriber<Value>]?

        mutating func all() -> [Subscriber<Value>] {
            if let allSubscribers { return allSubscribers }
            let all = Array(subscribers.values)
            allSubscribers = all
            return all
        }
    }

    private let projection: @Sendable (AnySnapshotStorage) -> Value
    private let state: Lock<State>

    init(_ projection: @escaping @Sendable (AnySnapshotStorage) -> Value, latest: VersionedValue<Value>) {
        self.projection = projection
        state = Lock(State(latest: latest, newestInitial: latest.version))
    }

    /// Adds a subscriber that already has the value of `version`. Returns the value delivered last, to be offered to it
    /// in case that is newer.
    func add(_ subscriber: Subscriber<Value>, having version: Version) -> VersionedValue<Value> {
        state.withLock { state in
            state.newestInitial = max(state.newestInitial, version)
            state.subscribers[ObjectIdentifier(subscriber)] = subscriber
            state.allSubscribers = nil
            return state.latest
        }
    }

    func evaluate(_ snapshot: AnySnapshotStorage) -> (@Sendable () -> Void)? {
        let before = state.withLock { $0.latest }
        if snapshot.version <= before.version { return nil }
        let projected = projection(snapshot)
        let isChanged = projected != before.value
        let value = VersionedValue(
            value: projected, version: snapshot.version, origin: isChanged ? snapshot.origin : before.origin)
        // Releases the previous value outside the lock, because its deinit may run user code.
        let subscribers = withExtendedLifetime(before) {
            state.withLock { state in
                state.latest = value
                // A value equal to `before` still is a change for a subscriber that joined at a version in between.
                return isChanged || state.newestInitial > before.version ? state.all() : []
            }
        }
        if subscribers.isEmpty { return nil }
        return { for subscriber in subscribers { subscriber.offer(value) } }
    }

    func remove(_ subscriber: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.subscribers[subscriber] = nil
            state.allSubscribers = nil
            return state.subscribers.isEmpty
        }
    }

    func finish() {
        for subscriber in state.withLock({ $0.all() }) { subscriber.finish() }
    }
}

/// Identifies an observed part of the value. Subscribers with equal keys share one ``ObservedValue``.
enum ProjectionKey: Hashable, Sendable {
    case keyPath(KeyPathIdentity)
    /// With the type that the value is decoded as.
    case pointer(JSONPointer, ObjectIdentifier)
    case condition(ConditionIdentity)
}

/// A key path, for comparison only.
struct KeyPathIdentity: Hashable, Sendable {
    private let keyPath: any AnyKeyPath & Sendable

    init(_ keyPath: any AnyKeyPath & Sendable) { self.keyPath = keyPath }

    static func == (a: KeyPathIdentity, b: KeyPathIdentity) -> Bool { a.keyPath as AnyKeyPath == b.keyPath }

    func hash(into hasher: inout Hasher) { hasher.combine(keyPath as AnyKeyPath) }
}

/// The identity of a condition. Closures cannot be compared, so no two conditions are equal.
final class ConditionIdentity: Hashable, Sendable {
    static func == (a: ConditionIdentity, b: ConditionIdentity) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
