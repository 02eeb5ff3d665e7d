internal import Locking

/// The state of one subscriber, independent of the value's type: what was delivered last, and the latest value not yet
/// delivered.
class AnySubscriber: @unchecked Sendable {
    private struct State {
        var lastDelivered: AnyVersionedValue
        /// Whether the first delivery has the current value, even if it did not change.
        var isInitialDue: Bool
        /// The latest version offered. Older offers arrive late, from a thread that was overtaken, and are dropped.
        var latestVersion: Version
        var pending: AnyVersionedValue?
        /// The origin of the pending change and of those that it replaced: external if any was an edit of the file.
        var pendingOrigin: Origin
        var isNotified = false
        var isFinished = false
    }

    /// A value that was offered, and the one delivered before.
    fileprivate struct Pending {
        let last: AnyVersionedValue
        let next: AnyVersionedValue
        let origin: Origin
        let isInitial: Bool
    }

    // Immutable, also in the subclass.
    private final let state: Lock<State>
    private final let notify: @Sendable (AnySubscriber) -> Void
    private final let onFinish: @Sendable () -> Void

    fileprivate init(
        initial: AnyVersionedValue, deliversInitial: Bool, notify: @escaping @Sendable (AnySubscriber) -> Void,
        onFinish: @escaping @Sendable () -> Void
    ) {
        state = Lock(
            State(
                lastDelivered: initial, isInitialDue: deliversInitial, latestVersion: initial.version,
                pending: deliversInitial ? initial : nil, pendingOrigin: initial.origin))
        self.notify = notify
        self.onFinish = onFinish
    }

    /// Offers a value of the subscriber's type, which replaces an earlier one that was not taken.
    final func offer(_ value: AnyVersionedValue) {
        // Returns the replaced value to release it outside the lock, because its deinit may run user code.
        let (needsNotification, _) = state.withLock { state -> (Bool, AnyVersionedValue?) in
            if state.isFinished || value.version <= state.latestVersion { return (false, nil) }
            let replaced = state.pending
            if replaced == nil || state.pendingOrigin != .external { state.pendingOrigin = value.origin }
            state.pending = value
            state.latestVersion = value.version
            defer { state.isNotified = true }
            return (!state.isNotified, replaced)
        }
        if needsNotification { notify(self) }
    }

    /// Notifies of the initial value, if it is to be delivered. To be called once, after the subscriber was added.
    final func start() {
        let needsNotification = state.withLock { state in
            if state.pending == nil || state.isNotified || state.isFinished { return false }
            state.isNotified = true
            return true
        }
        if needsNotification { notify(self) }
    }

    /// Takes the value that was offered; nil if there is none, and then the next offer notifies again.
    fileprivate final func takePending() -> Pending? {
        state.withLock { state in
            guard let next = state.pending, !state.isFinished else {
                state.isNotified = false
                return nil
            }
            state.pending = nil
            defer { state.isInitialDue = false }
            return Pending(
                last: state.lastDelivered, next: next, origin: state.pendingOrigin, isInitial: state.isInitialDue)
        }
    }

    /// Stores what is delivered next. Returns false if the subscriber was cancelled meanwhile.
    fileprivate final func willDeliver(_ next: AnyVersionedValue) -> Bool {
        state.withLock { state in
            state.lastDelivered = next
            return !state.isFinished
        }
    }

    /// Ends the subscription and drops a value that was not taken.
    final func cancel() {
        _ = state.withLock { state in
            state.isFinished = true
            defer { state.pending = nil }
            return state.pending
        }
        onFinish()
    }

    /// Reports that no more values will come. A value that was not taken still can be.
    final func finish() { onFinish() }
}

/// A subscriber to values of one type.
///
/// A slow subscriber skips intermediate values. A value that changed and changed back meanwhile is not a change.
final class Subscriber<Value: Equatable & Sendable>: AnySubscriber, @unchecked Sendable {
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
        super.init(
            initial: initial, deliversInitial: deliversInitial,
            notify: { notify(unsafeDowncast($0, to: Subscriber.self)) }, onFinish: onFinish)
    }

    /// Calls `body` with the change since the last delivered value. Returns false if there is none, and then the next
    /// offer notifies again.
    ///
    /// Only one thread at a time may call this. The comparison runs user code, so it runs outside the lock.
    func deliverNext(to body: (Change<Value>) -> Void) -> Bool {
        while let pending = takePending() {
            let next = VersionedValue<Value>.cast(pending.next)
            let last = pending.isInitial ? next : .cast(pending.last)
            if !pending.isInitial, next.value == last.value { continue }
            // The comparison may have taken long, and the subscriber may have been cancelled meanwhile.
            guard willDeliver(next) else { return false }
            body(Change(old: last.value, new: next.value, version: next.version, origin: pending.origin))
            return true
        }
        return false
    }

    /// Returns the change since the last delivered value; nil if there is none. Like ``deliverNext(to:)``.
    func take() -> Change<Value>? {
        var change: Change<Value>?
        return deliverNext { change = $0 } ? change : nil
    }
}
