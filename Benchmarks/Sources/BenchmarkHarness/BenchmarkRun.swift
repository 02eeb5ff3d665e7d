import CAllocationCount
public import CGoogleBenchmark

/// One repetition of a benchmark.
///
/// ``measure(_:)`` times its closure, and then runs it once more without the clock to report its allocations and the
/// memory of its result.
public struct BenchmarkRun: ~Copyable {
    @usableFromInline let run: OpaquePointer
    private let registered: RegisteredBenchmark

    init(_ run: OpaquePointer, _ registered: RegisteredBenchmark) { (self.run, self.registered) = (run, registered) }

    /// Times `work`, including the release of its result.
    @inlinable @inline(__always)
    public func measure<Result>(_ work: () -> Result) {
        let count = benchmark_iterations(run)
        while benchmark_next_batch(run, count) {
            var iteration: Int64 = 0
            while iteration < count {
                blackHole(work())
                iteration &+= 1
            }
        }
        report(allocationsOf: work)
    }

    /// Times `work`, which performs the given number of iterations itself, and reports no allocations: for work on
    /// another thread.
    public func measureBatch(_ work: (Int) -> Void) {
        let count = benchmark_iterations(run)
        while benchmark_next_batch(run, count) { work(Int(count)) }
    }

    /// Sets the bytes processed by one iteration, for the throughput.
    public func bytesPerIteration(_ count: Int) {
        benchmark_set_bytes(run, benchmark_iterations(run) * Int64(count))
        report("inputBytes", count)
    }

    /// Reports a counter beside the time.
    public func report(_ name: String, _ value: Int) { benchmark_set_counter(run, name, Double(value)) }

    @usableFromInline @inline(never)
    func report<Result>(allocationsOf work: () -> Result) {
        let allocations = registered.allocations(of: work)
        report("allocations", allocations.count)
        report("resultBytes", allocations.resultBytes)
    }
}

/// Prevents the compiler from removing the computation of `value`.
@inlinable @inline(__always)
public func blackHole<Value>(_ value: Value) {
    withUnsafePointer(to: value) { benchmark_black_hole($0) }
}

/// Counts the heap allocations of a closure on the current thread.
struct Allocations {
    /// The number of allocations.
    let count: Int
    /// The growth of memory in use while the result is still alive.
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
