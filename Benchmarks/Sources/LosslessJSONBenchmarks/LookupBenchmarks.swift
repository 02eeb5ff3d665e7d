import BenchmarkData
import BenchmarkHarness
import LosslessJSON

/// Lookup of present and absent keys.
enum LookupBenchmarks {
    static func add() {
        for (keys, count, prepared) in KeyedObject.all {
            add("lookup/hit/\(count) \(keys.rawValue)", prepared, \.present)
            add("lookup/miss/\(count) \(keys.rawValue)", prepared, \.absent)
        }
    }

    private static func add(
        _ title: String, _ prepared: LazyValue<KeyedObject>, _ keys: any KeyPath<KeyedObject, [String]> & Sendable
    ) {
        Benchmark.add(title) { run in
            let object = prepared().object
            var keys = CyclingIterator(prepared()[keyPath: keys])
            run.measure { object[keys.next()] }
        }
        Benchmark.add(title, by: "Dictionary") { run in
            let dictionary = prepared().dictionary
            var keys = CyclingIterator(prepared()[keyPath: keys])
            run.measure { dictionary[keys.next()] }
        }
    }
}
