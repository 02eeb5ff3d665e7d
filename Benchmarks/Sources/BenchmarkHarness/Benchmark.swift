import CGoogleBenchmark
import Glibc
import Synchronization

/// The list of benchmarks of a program: filled first, then run once.
///
/// A title states operation and condition, from coarse to fine: `lookup/hit/100000 short keys`. Those who do the same
/// work under one title are its contenders; `report.py` puts them into one row.
///
/// ```swift
/// Benchmark.add("parse/mixed/1MB") { run in
///     run.measure { try! JSONDocument(parsing: bytes) }
/// }
/// Benchmark.add("parse/mixed/1MB", by: "JSONSerialization") { … }
/// exit(Benchmark.runAll(CommandLine.arguments))
/// ```
///
/// The body is called many times, once for each repetition and more often to find out how many iterations fill the
/// minimum time. What it needs should exist before, or be kept from its first call.
public enum Benchmark {
    /// Adds a benchmark.
    public static func add(
        _ title: String, by contender: String = "ours", _ body: @escaping @Sendable (borrowing BenchmarkRun) -> Void
    ) {
        // Google Benchmark runs it until the process ends, so it is never released.
        let context = Unmanaged.passRetained(RegisteredBenchmark(body)).toOpaque()
        benchmark_register("\(title)/\(contender)", context) { context, run in
            guard let context else { preconditionFailure("a benchmark is registered with its context") }
            let registered = Unmanaged<RegisteredBenchmark>.fromOpaque(context).takeUnretainedValue()
            registered.body(BenchmarkRun(run, registered))
        }
    }

    /// Runs what was added, as Google Benchmark's options in `arguments` say, and returns the exit code.
    public static func runAll(_ arguments: [String]) -> Int32 {
        // Google Benchmark moves the pointers, and keeps none of them.
        let strings = arguments.map { strdup($0) }
        defer { for string in strings { free(string) } }
        var pointers = strings + [nil]
        return benchmark_main(Int32(arguments.count), &pointers)
    }
}

/// What Google Benchmark holds on to.
final class RegisteredBenchmark: Sendable {
    let body: @Sendable (borrowing BenchmarkRun) -> Void
    private let known = Mutex<Allocations?>(nil)

    init(_ body: @escaping @Sendable (borrowing BenchmarkRun) -> Void) { self.body = body }

    /// Counted once in the life of the process: unlike times, they do not vary.
    func allocations<Result>(of work: () -> Result) -> Allocations {
        if let known = known.withLock({ $0 }) { return known }
        let allocations = Allocations(of: work)
        known.withLock { $0 = allocations }
        return allocations
    }
}
