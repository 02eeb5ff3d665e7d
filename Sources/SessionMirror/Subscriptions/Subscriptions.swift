internal import Locking

/// All subscribers to one session's value, grouped by the part they observe.
final class Subscriptions: Sendable {
    private struct Entry {
        let key: ProjectionKey
        let observedValue: any AnyObservedValue
    }

    private struct State {
        /// By the hash of the key. Hashing and comparing key paths runs user code, which must not run under the lock.
        var entries: [Int: [Entry]] = [:]
        var isFinished = false

        var all: [any AnyObservedValue] {
            var all: [any AnyObservedValue] = []
            all.reserveCapacity(entries.count)
            for bucket in entries.values { for entry in bucket { all.append(entry.observedValue) } }
            return all
        }
    }

    private let state = Lock(State())

    /// Offers `snapshot` to all subscribers whose part changed. One thread at a time.
    func deliver(_ snapshot: AnySnapshotStorage) {
        // Evaluates all parts before any subscriber is notified, so that no delivery waits for another part's
        // evaluation.
        let offers = state.withLock { $0.all }.compactMap { $0.evaluate(snapshot) }
        for offer in offers { offer() }
    }

    /// Adds a subscriber to the part identified by `key`. It already has the value `initial`.
    func add<Value: Equatable & Sendable>(
        _ subscriber: Subscriber<Value>, to key: ProjectionKey, having initial: VersionedValue<Value>,
        projection: @escaping @Sendable (AnySnapshotStorage) -> Value
    ) -> Subscription {
        let hash = key.hashValue
        while true {
            let known = state.withLock { $0.entries[hash] ?? [] }
            // Equal keys imply the same type of the part.
            let found = known.first { $0.key == key }?.observedValue as! ObservedValue<Value>?
            let observedValue = found ?? ObservedValue(projection, latest: initial)
            let latest = state.withLock { state -> AnyVersionedValue?? in
                if state.isFinished { return .some(nil) }
                // Another thread added or removed an entry meanwhile.
                guard
                    (state.entries[hash] ?? []).elementsEqual(known, by: { $0.observedValue === $1.observedValue })
                else { return nil }
                if found == nil {
                    state.entries[hash, default: []].append(Entry(key: key, observedValue: observedValue))
                }
                return observedValue.add(subscriber, having: initial.version)
            }
            guard let latest else { continue }
            if let latest { subscriber.offer(latest) } else { subscriber.finish() }
            subscriber.start()
            return Subscription { [weak self] in
                self?.remove(ObjectIdentifier(subscriber), from: observedValue, hash)
                subscriber.cancel()
            }
        }
    }

    private func remove(_ subscriber: ObjectIdentifier, from observedValue: any AnyObservedValue, _ hash: Int) {
        // Returns the entry to release its key outside the lock.
        _ = state.withLock { state -> Entry? in
            guard observedValue.remove(subscriber),
                let index = state.entries[hash]?.firstIndex(where: { $0.observedValue === observedValue })
            else { return nil }
            let entry = state.entries[hash]!.remove(at: index)
            if state.entries[hash]!.isEmpty { state.entries[hash] = nil }
            return entry
        }
    }

    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// Reports to all subscribers that no more values will come.
    func finish() {
        let observedValues = state.withLock { state in
            state.isFinished = true
            defer { state.entries = [:] }
            return state.all
        }
        for observedValue in observedValues { observedValue.finish() }
    }
}
