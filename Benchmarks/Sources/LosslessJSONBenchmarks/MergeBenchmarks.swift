import BenchmarkData
import BenchmarkHarness
import LosslessJSON

/// Merging two versions of one object, each with one key changed.
enum MergeBenchmarks {
    static func add() {
        for (keys, count, prepared) in KeyedObject.all {
            let title = "merge/two one-key edits/\(count) \(keys.rawValue)"
            Benchmark.add(title) { run in
                let sides = Sides(prepared())
                run.measure { JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs) }
            }
            Benchmark.add(title, by: "Dictionary") { run in
                let base = prepared().dictionary
                var (ours, theirs) = (base, base)
                ours[prepared().present[0]] = -1
                theirs[prepared().present[1]] = -2
                run.measure { merge(base, ours, theirs) }
            }
        }
    }

    private struct Sides {
        let base: JSON
        var ours: JSON
        var theirs: JSON

        init(_ prepared: KeyedObject) {
            base = .object(prepared.object)
            (ours, theirs) = (base, base)
            ours[prepared.present[0]] = -1
            theirs[prepared.present[1]] = -2
        }
    }

    /// Applies their changes to ours.
    private static func merge(
        _ base: [String: Int], _ ours: [String: Int], _ theirs: [String: Int]
    ) -> [String: Int] {
        var merged = ours
        for (key, value) in theirs where base[key] != value { merged[key] = value }
        for key in base.keys where theirs[key] == nil { merged[key] = nil }
        return merged
    }
}
