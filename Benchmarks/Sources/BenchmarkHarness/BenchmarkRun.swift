public import CGoogleBenchmark

/// One repetition of a benchmark.
///
/// ``measure(_:)`` times its closure. Then the same work is done once more without the clock, to count its
/// allocations: they are reported beside the time, as is the memory that its result occupies.
public struct BenchmarkRun: ~Copyable {
    @usableFromInline let run: OpaquePointer
    private let registered: RegisteredBenchmark

    init(_ run: OpaquePointer, _ registered: RegisteredBenchmark) { (self.run, self.registered) = (run, registered) }

    /// Times `work`. Its result is worked out and released in every iteration, and both are part of the time.
    @inlinable @inline(__always)
    public func measure<Result>(_ work: () -> Result) {
        let count = benchmark_iterations(run)
        while benchmark_next_batch(run, count) {
            var iteration: Int64 = 0
            while iteration < count {
                keep(work())
                iteration &+= 1
            }
        }
        report(allocationsOf: work)
    }

    /// Says how many bytes one iteration goes through, for the bytes per second.
    public func bytesPerIteration(_ count: Int) {
        benchmark_set_bytes(run, benchmark_iterations(run) * Int64(count))
        report("inputBytes", count)
    }

    /// Reports a number beside the time.
    public func report(_ name: String, _ value: Int) { benchmark_set_counter(run, name, Double(value)) }

    @usableFromInline @inline(never)
    func report<Result>(allocationsOf work: () -> Result) {
        let allocations = registered.allocations(of: work)
        report("allocations", allocations.count)
        report("resultBytes", allocations.resultBytes)
    }
}

/// Makes the compiler believe that `value` is used.
@inlinable @inline(__always)
public func keep<Value>(_ value: Value) {
    withUnsafePointer(to: value) { benchmark_keep($0) }
}
