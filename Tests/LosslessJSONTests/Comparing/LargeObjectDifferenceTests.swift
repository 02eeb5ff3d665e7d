import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Differences of large objects")
struct LargeObjectDifferenceTests {
    @Test(
        "Members that come, go, move and change in rebuilt and in edited objects are all found",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for round in 0..<30 {
            var pairs = (0..<40 + random.below(120)).map { ("key \($0)", JSON($0)) }
            let old = JSONObject(pairs)
            var edited = old
            for step in 0..<random.below(6) {
                let place = random.below(pairs.count)
                switch random.below(4) {
                case 0: edited[pairs.remove(at: place).0] = nil
                case 1:
                    pairs[place].1 = JSON(1_000 + step)
                    edited[pairs[place].0] = JSON(1_000 + step)
                case 2:
                    pairs.insert(("new \(step)", JSON(step)), at: place)
                    edited["new \(step)"] = JSON(step)
                default: pairs.insert(pairs.remove(at: place), at: random.below(pairs.count))
                }
            }
            let rebuilt = JSONObject(pairs)
            for (a, b) in [(old, rebuilt), (rebuilt, old), (old, edited), (edited, old), (edited, rebuilt)] {
                let (a, b) = (JSON.object(a), JSON.object(b))
                let changes = Set(b.difference(from: a))
                #expect(changes == Set(DifferenceModel.changes(a, b)), "seed \(seed), round \(round)")
                #expect((a == b) == changes.isEmpty, "seed \(seed), round \(round)")
            }
            #expect(edited == rebuilt, "seed \(seed), round \(round)")
        }
    }
}
