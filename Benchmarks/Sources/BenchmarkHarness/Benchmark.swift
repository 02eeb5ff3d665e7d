import CGoogleBenchmark
import Glibc
import Synchronization

/// Registers and runs the benchmarks of a program.
///
/// A title states operation and condition, from coarse to fine: `lookup/hit/100000 short keys`. Implementations of the
/// same work share a title; `report.py` compares them.
///
/// ```swift
/// Benchmark.add("parse/mixed/1MB") { run in
///     run.measure { try! JSONDocument(parsing: bytes) }
/// }
/// Benchmark.add("parse/mixed/1MB", by: "JSONSerialization") { … }
/// exit(Benchmark.runAll(CommandLine.arguments))
/// ```
///
/// The body is called once for each repetition, and more often to calibrate the number of iterations. Its data should
/// be a `LazyValue` of BenchmarkData.
public enum Benchmark {
    /// Adds a benchmark.
    public static func add(
        _ title: String, by implementation: String = "ours",
        _ body: @escaping @Sendable (borrowing BenchmarkRun) -> Void
    ) {
        // Used by Google Benchmark until the process exits, so never released.
        let context = Unmanaged.passRetained(RegisteredBenchmark(body)).toOpaque()
        benchmark_register("\(title)/\(implementation)", context) { context, run in
            guard let context else { preconditionFailure("benchmark registered without context") }
            let registered = Unmanaged<RegisteredBenchmark>.fromOpaque(context).takeUnretainedValue()
            registered.body(BenchmarkRun(run, registered))
        }
    }

    /// Runs the registered benchmarks with Google Benchmark's options, and returns the exit code.
    public static func runAll(_ arguments: [String]) -> Int32 {
        // Google Benchmark reorders the pointers, but does not keep them.
        let strings = arguments.map { strdup($0) }
        defer { for string in strings { free(string) } }
        var pointers = strings + [nil]
        return benchmark_main(Int32(arguments.count), &pointers)
    }
}

/// The context of a registered benchmark.
final class RegisteredBenchmark: Sendable {
    let body: @Sendable (borrowing BenchmarkRun) -> Void
    private let counted = Mutex<Allocations?>(nil)

    init(_ body: @escaping @Sendable (borrowing BenchmarkRun) -> Void) { self.body = body }

    /// Counts once per process, because counts do not vary.
    func allocations<Result>(of work: () -> Result) -> Allocations {
        if let counted = counted.withLock({ $0 }) { return counted }
        let allocations = Allocations(of: work)
        counted.withLock { $0 = allocations }
        return allocations
    }
}
