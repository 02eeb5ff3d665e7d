import BenchmarkHarness
import LosslessJSON

/// Reading the next version of a text, in which one value changed.
enum ReparseBenchmarks {
    static func add() {
        for size in [Documents.Size.megabyte, .tenMegabytes] {
            let versions = Prepared { Versions(size) }
            Benchmark.add("reparse/one changed/\(size.rawValue)") { run in
                let versions = versions()
                run.measure { versions.grafted }
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
