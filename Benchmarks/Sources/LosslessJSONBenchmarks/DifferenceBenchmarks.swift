import BenchmarkData
import BenchmarkHarness
import LosslessJSON

/// Comparison of two versions of a document.
enum DifferenceBenchmarks {
    static func add() {
        let versions = LazyValue { DocumentVersions(.megabyte) }
        add("equal, the same value") { (versions().base.value, versions().base.value) }
        add("one changed, parts shared") { (versions().base.value, versions().reparsed.value) }
        add("one changed, nothing shared") { (versions().base.value, versions().fresh.value) }
        add("all changed") { (versions().base.value, versions().base.value.withEveryScalarChanged) }
    }

    private static func add(_ condition: String, _ values: @escaping @Sendable () -> (old: JSON, new: JSON)) {
        let values = LazyValue(values)
        Benchmark.add("difference/\(condition)/1MB") { run in
            let (old, new) = values()
            run.measure { new.difference(from: old) }
        }
    }
}
