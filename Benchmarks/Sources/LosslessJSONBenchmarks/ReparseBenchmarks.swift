import BenchmarkData
import BenchmarkHarness
import LosslessJSON

/// Parsing of the next version of a text with one changed value.
enum ReparseBenchmarks {
    static func add() {
        for size in [Documents.Size.megabyte, .tenMegabytes] {
            let versions = LazyValue { DocumentVersions(size) }
            Benchmark.add("reparse/one changed/\(size.rawValue)") { run in
                let versions = versions()
                run.measure { versions.reparsed }
                run.bytesPerIteration(versions.changedText.count)
            }
            Benchmark.add("reparse/one changed/\(size.rawValue)", by: "fresh parse") { run in
                let versions = versions()
                run.measure { versions.fresh }
                run.bytesPerIteration(versions.changedText.count)
            }
        }
    }
}
