import BenchmarkData
import BenchmarkHarness
import LosslessJSON

/// Changing one key of an object while the previous version stays alive.
enum EditBenchmarks {
    static func add() {
        for (keys, count, prepared) in KeyedObject.all {
            add("replace/\(count) \(keys.rawValue)", prepared, \.present)
            add("insert/\(count) \(keys.rawValue)", prepared, \.absent)
        }
    }

    private static func add(
        _ title: String, _ prepared: LazyValue<KeyedObject>, _ keys: any KeyPath<KeyedObject, [String]> & Sendable
    ) {
        Benchmark.add(title) { run in
            let base = JSON.object(prepared().object)
            let value: JSON = -1  // no member has it
            var keys = CyclingIterator(prepared()[keyPath: keys])
            run.measure {
                var edited = base
                edited[keys.next()] = value
                return edited
            }
        }
        Benchmark.add(title, by: "Dictionary") { run in
            let base = prepared().dictionary
            var keys = CyclingIterator(prepared()[keyPath: keys])
            run.measure {
                var edited = base
                edited[keys.next()] = -1
                return edited
            }
        }
    }
}
