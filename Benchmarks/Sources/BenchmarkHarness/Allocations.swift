import CAllocationCount

/// What a piece of work asked of the heap, on its own thread.
struct Allocations {
    /// How often memory was allocated.
    let count: Int
    /// How many bytes more were in use when the work was done, its result still alive.
    let resultBytes: Int

    init<Result>(of work: () -> Result) {
        allocation_count_set_enabled(true)
        defer { allocation_count_set_enabled(false) }
        let before = allocation_count_of_thread()
        let result = work()
        let after = allocation_count_of_thread()
        withExtendedLifetime(result) {}
        count = Int(after.allocations - before.allocations)
        resultBytes = Int(after.live_bytes - before.live_bytes)
    }
}
