internal import Locking

/// Lasts as long as somebody keeps it: when it is gone, or cancelled, the callbacks end.
///
/// A callback that has begun may still be running then; none begins after.
public final class Subscription: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

    deinit { cancel() }

    /// Ends it before it is gone.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
