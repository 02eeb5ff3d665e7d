import LosslessJSON
import TestSupport
import Testing

/// Properties of every merge of arrays by rules, tested with random arrays that have few different elements.
@Suite("Properties of random merges of arrays") struct ArrayMergingLawTests {
    private struct Sides {
        var base: JSON
        var ours: JSON
        var theirs: JSON
    }

    static let all: [JSONArrayMerging] = [.whole, .union, .append, .byIdentity("id")]

    /// Random arrays, whose elements are numbers or objects with an identity.
    private func forEachCase(_ seed: UInt64, ofObjects: Bool = false, _ body: (Sides) -> Bool) {
        for number in 0..<RandomEditTests.count {
            var random = SeededGenerator(seed &* 7_919 &+ UInt64(number))
            let base = (0..<random.below(5)).map { ofObjects ? object($0, &random) : JSON(random.below(6)) }
            func edited() -> JSON {
                var array = base
                for _ in 0..<random.below(4) { edit(&array, ofObjects: ofObjects, &random) }
                return .array(JSONArray(array))
            }
            let sides = Sides(base: .array(JSONArray(base)), ours: edited(), theirs: edited())
            guard body(sides) else {
                Issue.record("seed \(seed), case \(number): \(sides)")
                return
            }
        }
    }

    private func object(_ identity: Int, _ random: inout SeededGenerator) -> JSON {
        ["id": JSON(identity), "x": JSON(random.below(3)), "y": JSON(random.below(3))]
    }

    private func edit(_ array: inout [JSON], ofObjects: Bool, _ random: inout SeededGenerator) {
        let position = random.below(array.count + 1)
        let isEnd = position == array.count
        switch random.below(5) {
        case 0 where !isEnd: array.remove(at: position)
        case 1 where !isEnd && ofObjects: array[position][random.pick(["x", "y"])] = JSON(random.below(3))
        case 1 where !isEnd: array[position] = JSON(random.below(9))
        case 2: array.shuffle(using: &random)
        default:
            let unused = (0...9).filter { identity in !array.contains { $0["id"]?.int == identity } }
            let new = ofObjects ? object(random.pick(unused), &random) : JSON(random.below(9))
            array.insert(new, at: random.chance(50) ? array.count : position)
        }
    }

    private func merge(_ sides: Sides, _ merging: JSONArrayMerging) -> JSONMerge {
        JSON.merge(base: sides.base, ours: sides.ours, theirs: sides.theirs, arrays: ["": merging])
    }

    @Test(
        "With an unchanged side or identical sides, the merged array is the changed one and nothing conflicts",
        arguments: SeededGenerator.seeds, all)
    func oneSide(seed: UInt64, merging: JSONArrayMerging) {
        for ofObjects in [false, true] {
            forEachCase(seed, ofObjects: ofObjects) { sides in
                let merges = [
                    Sides(base: sides.base, ours: sides.ours, theirs: sides.base),
                    Sides(base: sides.base, ours: sides.base, theirs: sides.ours),
                    Sides(base: sides.base, ours: sides.ours, theirs: sides.ours),
                ].map { merge($0, merging) }
                return merges.allSatisfy { $0.value == sides.ours && $0.conflicts.isEmpty }
            }
        }
    }

    @Test(
        "A merged set is the set that the two sides' changes yield, in the documented order",
        arguments: SeededGenerator.seeds)
    func union(seed: UInt64) {
        forEachCase(seed) { sides in
            let (base, ours, theirs) = (sides.base.array!, sides.ours.array!, sides.theirs.array!)
            let merged = merge(sides, .union)
            if base == ours || base == theirs || ours == theirs { return true }
            var expected: [JSON] = []
            for element in Array(theirs) + Array(ours) where !expected.contains(element) {
                let isKept = ours.contains(element) && theirs.contains(element)
                if isKept || !base.contains(element) { expected.append(element) }
            }
            return merged.value == .array(JSONArray(expected)) && merged.conflicts.isEmpty
        }
    }

    @Test(
        "Swapping the sides yields the same elements, unless the whole array conflicts",
        arguments: SeededGenerator.seeds)
    func symmetry(seed: UInt64) {
        for (merging, ofObjects) in [(JSONArrayMerging.union, false), (.append, false), (.byIdentity("id"), true)] {
            forEachCase(seed, ofObjects: ofObjects) { sides in
                let one = merge(sides, merging)
                let other = JSON.merge(
                    base: sides.base, ours: sides.theirs, theirs: sides.ours, arrays: ["": merging],
                    preferring: .theirs)
                return counts(one.value) == counts(other.value) && one.conflicts.count == other.conflicts.count
            }
        }
    }

    private func counts(_ value: JSON) -> [JSON: Int] { Dictionary(value.array!.map { ($0, 1) }, uniquingKeysWith: +) }

    @Test(
        "What both sides only appended to a log follows the log, the other side's first",
        arguments: SeededGenerator.seeds)
    func append(seed: UInt64) {
        forEachCase(seed) { sides in
            let (base, ours, theirs) = (sides.base.array!, sides.ours.array!, sides.theirs.array!)
            let merged = merge(
                Sides(base: .array(base), ours: .array(base + ours), theirs: .array(base + theirs)), .append)
            return merged.conflicts.isEmpty
                && merged.value == .array(ours == theirs ? base + ours : base + theirs + ours)
        }
    }

    @Test(
        "What one side appended to a log is at its end, whatever the other side did to the log",
        arguments: SeededGenerator.seeds)
    func appendToChanged(seed: UInt64) {
        forEachCase(seed) { sides in
            let added: JSONArray = ["new", 1]
            let ours = JSON.array(sides.base.array! + added)
            let expected = JSON.array(sides.theirs.array! + added)
            let merged = merge(Sides(base: sides.base, ours: ours, theirs: sides.theirs), .append)
            let swapped = merge(Sides(base: sides.base, ours: sides.theirs, theirs: ours), .append)
            return merged.conflicts.isEmpty && swapped.conflicts.isEmpty && merged.value == expected
                && counts(swapped.value) == counts(expected)
        }
    }

    @Test("Identified objects are merged like the members of an object", arguments: SeededGenerator.seeds)
    func byIdentity(seed: UInt64) {
        func members(_ list: JSON) -> JSON {
            .object(JSONObject(list.array!.map { ($0["id"]!.description, $0) }))
        }
        forEachCase(seed, ofObjects: true) { sides in
            let merged = merge(sides, .byIdentity("id"))
            let expected = JSON.merge(
                base: members(sides.base), ours: members(sides.ours), theirs: members(sides.theirs))
            let conflicts = merged.conflicts.map { [$0.base, $0.ours, $0.theirs] }
            return members(merged.value) == expected.value
                && merged.value.array!.count == expected.value.object!.count
                && Set(conflicts) == Set(expected.conflicts.map { [$0.base, $0.ours, $0.theirs] })
        }
    }

    @Test(
        "A merged list keeps the order of the only side that reordered elements, or else of the other side",
        arguments: SeededGenerator.seeds)
    func order(seed: UInt64) {
        func identities(_ list: JSON, in other: JSON) -> [JSON] {
            let all = Set(other.array!.map { $0["id"]! })
            return list.array!.map { $0["id"]! }.filter(all.contains)
        }
        forEachCase(seed, ofObjects: true) { sides in
            let merged = merge(sides, .byIdentity("id")).value
            func isReordered(_ side: JSON) -> Bool {
                identities(side, in: sides.base) != identities(sides.base, in: side)
            }
            let leading = isReordered(sides.ours) && !isReordered(sides.theirs) ? sides.ours : sides.theirs
            return identities(merged, in: leading) == identities(leading, in: merged)
        }
    }

    @Test("Merging arrays takes time proportional to their size", arguments: all)
    func cost(merging: JSONArrayMerging) {
        func sides(_ count: Int) -> Sides {
            func list(_ range: Range<Int>, _ last: Int) -> JSON {
                let all = range.map { ["id": JSON($0), "x": 1] as JSON }
                return .array(JSONArray(all + (0..<count / 10).map { ["id": JSON(last + $0), "x": 2] as JSON }))
            }
            return Sides(
                base: list(0..<count, 2 * count), ours: list(count / 4..<count, 3 * count),
                theirs: list(count / 8..<count, 4 * count))
        }
        let (short, long) = (sides(2_500), sides(10_000))
        let growth = HostileTimeTests.growth({ _ = merge(short, merging) }, { _ = merge(long, merging) })
        #expect(growth <= HostileTimeTests.greatestGrowth)
    }
}
