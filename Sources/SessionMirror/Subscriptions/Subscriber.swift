internal import Locking

/// An observed value, and the version of the session that has it.
///
/// An object, so that the generic code that passes it on moves a reference instead of a value whose size it has to look
/// up.
final class VersionedValue<Value: Equatable & Sendable>: Sendable {
    let value: Value
    let version: Version
    /// What changed the value last, which may be older than the version.
    let origin: Origin

    init(value: Value, version: Version, origin: Origin) {
        (self.value, self.version, self.origin) = (value, version, origin)
    }

    /// Combines this change with one not yet taken. The origin is external if either change was an edit of the file.
    fileprivate func comprising(_ earlier: VersionedValue?) -> VersionedValue {
        guard let earlier, earlier.origin == .external else { return self }
        return VersionedValue(value: value, version: version, origin: .external)
    }
}

/// The state of one subscriber: the value delivered last, and the latest value not yet delivered.
///
/// A slow subscriber skips intermediate values. A value that changed and changed back meanwhile is not a change.
final class Subscriber<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var lastDelivered: VersionedValue<Value>
        /// Whether the first delivery has the current value, even if it did not change.
        var isInitialDue: Bool
        /// The latest version offered. Older offers arrive late, from a thread that was overtaken, and are dropped.
        var latestVersion: Version
        var pending: VersionedValue<Value>?
        var isNotified = false
        var isFinished = false
    }

    private let state: Lock<State>
    private let notify: @Sendable (Subscriber) -> Void
    private let onFinish: @Sendable () -> Void

    /// Creates a subscriber that already has the value `initial`.
    ///
    /// - Parameters:
    ///   - initial: The value when it subscribed.
    ///   - deliversInitial: Whether the first change taken has the current value as its new and its old one.
    ///   - notify: Called when a value is available, and not again until all values were taken.
    ///   - onFinish: Called when no more values will come.
    init(
        initial: VersionedValue<Value>, deliversInitial: Bool = false,
        notify: @escaping @Sendable (Subscriber) -> Void, onFinish: @escaping @Sendable () -> Void = {}
    ) {
        state = Lock(
            State(
                lastDelivered: initial, isInitialDue: deliversInitial, latestVersion: initial.version,
                pending: deliversInitial ? initial : nil))
        self.notify = notify
        self.onFinish = onFinish
    }

    /// Offers a value, which replaces an earlier one that was not taken.
    func offer(_ value: VersionedValue<Value>) {
        // Returns the replaced value to release it outside the lock, because its deinit may run user code.
        let (needsNotification, _) = state.withLock { state -> (Bool, VersionedValue<Value>?) in
            if state.isFinished || value.version <= state.latestVersion { return (false, nil) }
            let replaced = state.pending
            state.pending = value.comprising(replaced)
            state.latestVersion = value.version
            defer { state.isNotified = true }
            return (!state.isNotified, replaced)
        }
        if needsNotification { notify(self) }
    }

    /// Notifies of the initial value, if it is to be delivered. To be called once, after the subscriber was added.
    func start() {
        let needsNotification = state.withLock { state in
            if state.pending == nil || state.isNotified || state.isFinished { return false }
            state.isNotified = true
            return true
        }
        if needsNotification { notify(self) }
    }

    /// Takes the change since the last delivered value; nil if there is none, and then the next offer notifies again.
    ///
    /// Only one thread at a time may call this. The comparison runs user code, so it runs outside the lock.
    func take() -> Change<Value>? {
        while let (last, next, isInitial) = takePending() {
            if !isInitial, next.value == last.value { continue }
            // The comparison may have taken long, and the subscriber may have been cancelled meanwhile.
            let isWanted = state.withLock { state in
                state.lastDelivered = next
                return !state.isFinished
            }
            if !isWanted { return nil }
            return Change(
                old: isInitial ? next.value : last.value, new: next.value, version: next.version, origin: next.origin)
        }
        return nil
    }

    private func takePending() -> (last: VersionedValue<Value>, next: VersionedValue<Value>, isInitial: Bool)? {
        state.withLock { state in
            guard let next = state.pending, !state.isFinished else {
                state.isNotified = false
                return nil
            }
            state.pending = nil
            defer { state.isInitialDue = false }
            return (state.lastDelivered, next, state.isInitialDue)
        }
    }

    /// Ends the subscription and drops a value that was not taken.
    func cancel() {
        _ = state.withLock { state in
            state.isFinished = true
            defer { state.pending = nil }
            return state.pending
        }
        onFinish()
    }

    /// Reports that no more values will come. A value that was not taken still can be.
    func finish() { onFinish() }
}
