import BenchmarkHarness
import LosslessJSON

/// Finding a key that is there, and one that is not.
enum LookupBenchmarks {
    static func add() {
        for (keys, count, prepared) in KeyedObject.all {
            add("lookup/hit/\(count) \(keys.rawValue)", prepared, \.present)
            add("lookup/miss/\(count) \(keys.rawValue)", prepared, \.absent)
        }
    }

    private static func add(
        _ title: String, _ prepared: Prepared<KeyedObject>, _ keys: any KeyPath<KeyedObject, [String]> & Sendable
    ) {
        Benchmark.add(title) { run in
            let object = prepared().object
            var keys = Rotation(prepared()[keyPath: keys])
            run.measure { object[keys.next()] }
        }
        Benchmark.add(title, by: "Dictionary") { run in
            let dictionary = prepared().dictionary
            var keys = Rotation(prepared()[keyPath: keys])
            run.measure { dictionary[keys.next()] }
        }
    }
}
