import CAllocationCount

/// What a piece of work asked of the heap, on its own thread.
///
/// It is inlined, so that measuring across modules costs what measuring inside one does.
package struct AllocationMeter {
    /// How often memory was allocated.
    package let allocations: Int
    /// How many bytes were allocated, released or not.
    package let allocatedBytes: Int
    /// How many bytes more were in use when the work was done, its result still alive.
    package let liveBytes: Int

    /// Allocations of optimised code without a sanitizer are what the promises are about; other builds allocate more.
    package static var countsOptimisedCode: Bool {
        #if DEBUG
        false
        #else
        allocation_count_is_available()
        #endif
    }

    /// Measures `work`, which should have run once before, so that what is set up only once is not counted.
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
