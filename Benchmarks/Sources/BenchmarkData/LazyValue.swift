import Synchronization

/// A value computed on first use and kept. Benchmark bodies are called many times, and filtered-out benchmarks should
/// cost nothing.
package final class LazyValue<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    /// Creates it with the closure that computes the value.
    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// Returns the value. Concurrent first calls may each compute it.
    package func callAsFunction() -> Value {
        if let made = made.withLock({ $0 }) { return made }
        let value = make()
        made.withLock { $0 = value }
        return value
    }
}
