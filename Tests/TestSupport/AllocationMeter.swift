import CAllocationCount

/// Counts the heap allocations of a closure on the current thread.
///
/// Inlinable, so that measuring across modules costs the same as inside one.
package struct AllocationMeter {
    /// The number of allocations.
    package let allocations: Int
    /// The bytes allocated, whether released or not.
    package let allocatedBytes: Int
    /// The growth of memory in use while the result is still alive.
    package let liveBytes: Int

    /// Whether this is an optimized build without a sanitizer. Limits apply to those only; other builds allocate more.
    package static var countsOptimizedCode: Bool {
        #if DEBUG
        false
        #else
        allocation_count_is_available()
        #endif
    }

    /// Measures `work`. Run it once before, so that one-time setup is not counted.
    @inlinable
    package init<Result: ~Copyable>(of work: () throws -> Result) rethrows {
        allocation_count_set_enabled(true)
        let before = allocation_count_of_thread()
        let result = try work()
        let after = allocation_count_of_thread()
        allocations = Int(after.allocations - before.allocations)
        allocatedBytes = Int(after.allocated_bytes - before.allocated_bytes)
        liveBytes = Int(after.live_bytes - before.live_bytes)
        extendLifetime(result)
    }
}
