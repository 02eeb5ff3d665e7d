import Synchronization

/// A value that a benchmark needs: made when it is first asked for and kept, because the bodies of benchmarks are
/// called many times, and those that a filter leaves out should cost nothing.
public final class Prepared<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    /// Remembers how to make the value.
    public init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value. Threads that ask for it first at the same time may each make it.
    public func callAsFunction() -> Value {
        if let made = made.withLock({ $0 }) { return made }
        let value = make()
        made.withLock { $0 = value }
        return value
    }
}
