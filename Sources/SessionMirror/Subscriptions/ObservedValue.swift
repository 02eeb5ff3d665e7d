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
    private let projection: @Sendable (AnySnapshotStorage) -> Value
    private let state: Lock<ObservedState>

    init(_ projection: @escaping @Sendable (AnySnapshotStorage) -> Value, latest: VersionedValue<Value>) {
        self.projection = projection
        state = Lock(ObservedState(latest: latest, newestInitial: latest.version))
    }

    /// Adds a subscriber that already has the value of `version`. Returns the value delivered last, to be offered to it
    /// in case that is newer.
    func add(_ subscriber: Subscriber<Value>, having version: Version) -> AnyVersionedValue {
        state.withLock { $0.add(subscriber, having: version) }
    }

    func evaluate(_ snapshot: AnySnapshotStorage) -> (@Sendable () -> Void)? {
        let before = VersionedValue<Value>.cast(state.withLock { $0.latest })
        if snapshot.version <= before.version { return nil }
        let projected = projection(snapshot)
        let isChanged = projected != before.value
        let value: AnyVersionedValue = VersionedValue(
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

    func remove(_ subscriber: ObjectIdentifier) -> Bool { state.withLock { $0.remove(subscriber) } }

    func finish() {
        for subscriber in state.withLock({ $0.all() }) { subscriber.finish() }
    }
}

/// The value delivered last and the subscribers, independent of the value's type.
private struct ObservedState {
    var latest: AnyVersionedValue
    /// The newest version that any subscriber had when it subscribed; may be newer than `latest`.
    var newestInitial: Version
    private var subscribers: [ObjectIdentifier: AnySubscriber] = [:]
    /// The values of ``subscribers``; nil if they have changed since it was computed.
    private var allSubscribers: [AnySubscriber]?

    init(latest: AnyVersionedValue, newestInitial: Version) {
        (self.latest, self.newestInitial) = (latest, newestInitial)
    }

    mutating func all() -> [AnySubscriber] {
        if let allSubscribers { return allSubscribers }
        let all = Array(subscribers.values)
        allSubscribers = all
        return all
    }

    mutating func add(_ subscriber: AnySubscriber, having version: Version) -> AnyVersionedValue {
        newestInitial = max(newestInitial, version)
        subscribers[ObjectIdentifier(subscriber)] = subscriber
        allSubscribers = nil
        return latest
    }

    /// Returns whether no subscriber is left.
    mutating func remove(_ subscriber: ObjectIdentifier) -> Bool {
        subscribers[subscriber] = nil
        allSubscribers = nil
        return subscribers.isEmpty
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
