import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Sums of the hashes of an array's elements") struct JSONArraySumTests {
    private func hash(_ index: Int, _ element: JSON) -> UInt64 {
        UInt64(bitPattern: Int64([JSON(index), element].hashValue))
    }

    @Test("The sum of a version that follows from another is that of a new array", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var array = JSONArray((0..<100).map { JSON($0) })
        for step in 0..<300 {
            let old = array
            for _ in 0..<random.below(4) {
                let index = random.below(array.count)
                switch random.below(6) {
                case 0: array.append(JSON(step))
                case 1: array.insert(["x": JSON(step)], at: index)
                case 2: array.remove(at: index)
                default: array[index] = random.pick([JSON(step), JSON(index), ["x": [JSON(step)]]])
                }
            }
            for kind in [ElementHash.seeded, .portable] {
                let fresh = JSONArray(Array(array)).sum(kind, hash)
                #expect(array.sum(kind, since: old, hash) == fresh && array.sum(kind, hash) == fresh, "step \(step)")
            }
        }
    }

    @Test("Only the elements that changed are hashed again; a small array has no sum") func cost() {
        var array = JSONArray((0..<1_000).map { JSON($0) })
        var hashed = 0
        func counting(_ index: Int, _ element: JSON) -> UInt64 {
            hashed += 1
            return hash(index, element)
        }
        _ = array.sum(.seeded, counting)
        #expect(hashed == 1_000)
        for index in [0, 999, 500] {
            let old = array
            array[index] = "changed"
            hashed = 0
            _ = array.sum(.seeded, since: old, counting)
            #expect(hashed == 2)
        }
        let old = array
        array.append("last")
        hashed = 0
        _ = array.sum(.seeded, since: old, counting)
        #expect(hashed == 1)
        #expect(JSONArray([1, 2]).sum(.seeded, counting) == nil)
    }
}
