import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Hashes of an array's elements") struct JSONArrayHashTests {
    private func hash(_ element: JSON) -> UInt64 { UInt64(bitPattern: Int64(element.hashValue)) }

    @Test("The hash of a version that follows from another is that of a new array", arguments: SeededGenerator.seeds)
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
                let fresh = JSONArray(Array(array)).hash(kind, hash)
                #expect(array.hash(kind, since: old, hash) == fresh && array.hash(kind, hash) == fresh, "step \(step)")
            }
        }
    }

    @Test("Only elements that changed are hashed again, and some beside those that come or go") func cost() {
        var array = JSONArray((0..<1_000).map { JSON($0) })
        var hashed = 0
        func counting(_ element: JSON) -> UInt64 {
            hashed += 1
            return hash(element)
        }
        func count(after change: (inout JSONArray) -> Void) -> Int {
            let old = array
            change(&array)
            hashed = 0
            _ = array.hash(.seeded, since: old, counting)
            return hashed
        }
        _ = array.hash(.seeded, counting)
        #expect(hashed == 1_000)
        for index in [0, 999, 500] { #expect(count { $0[index] = "changed" } == 2) }
        for index in [1_000, 0, 500] { #expect(count { $0.insert("new", at: index) } <= 64) }
        for index in [0, 500, 1_000] { #expect(count { $0.remove(at: index) } <= 64) }
        #expect(count { $0.replaceSubrange(300..<400, with: []) } <= 64)
        #expect(JSONArray([1, 2]).hash(.seeded, counting) == nil)
    }

    @Test(
        "Thousands of insertions and removals in one location leave hashes that follow as fast",
        arguments: [0, 50, 100])
    func oneLocation(location: Int) {
        var array = JSONArray((0..<100).map { JSON($0) })
        _ = array.hash(.seeded, hash)
        var most = (hashed: 0, blocks: 0)
        func change(_ body: (inout JSONArray) -> Void) {
            let old = array
            body(&array)
            var hashed = 0
            _ = array.hash(.seeded, since: old) { element in
                hashed += 1
                return hash(element)
            }
            guard case .large(let large) = array.form else { return }
            most = (max(most.hashed, hashed), max(most.blocks, large.hashes[.seeded]!.blockCount * 16 - array.count))
        }
        for number in 0..<2_000 { change { $0.insert(JSON(number), at: location) } }
        for _ in 0..<1_900 { change { $0.remove(at: location) } }
        #expect(most.hashed <= 64 && most.blocks <= 64, "\(most)")
        #expect(array.hash(.seeded, hash) == JSONArray(Array(array)).hash(.seeded, hash))
    }

    @Test("Numbers modulo a prime are added, subtracted, multiplied and raised as integers are") func residues() {
        let modulus = UInt64(1) << 61 - 1
        let numbers = [0, 1, 2, modulus - 1, modulus, modulus + 1, 1 << 61, .max, 0x9E37_79B9_7F4A_7C15]
        for a in numbers {
            for b in numbers {
                let (x, y, m) = (UInt128(a), UInt128(b), UInt128(modulus))
                #expect(UInt128((Residue(a) + Residue(b)).value) == (x % m + y % m) % m)
                #expect(UInt128((Residue(a) - Residue(b)).value) == (x % m + m - y % m) % m)
                #expect(UInt128((Residue(a) * Residue(b)).value) == (x % m) * (y % m) % m)
            }
            let powers = (0..<40).reduce(into: [Residue(1)]) { powers, _ in powers.append(powers.last! * Residue(a)) }
            #expect((0...40).allSatisfy { Residue(a).power($0) == powers[$0] })
        }
    }

    @Test("Arrays of the same elements in another order, or of other lengths, have other hashes")
    func order() {
        let array = JSONArray((0..<64).map { JSON($0 % 2) })
        let known = array.hash(.portable, hash)
        var others = [array + [0], JSONArray(array.reversed()), JSONArray(array.dropLast())]
        for index in 1..<64 {
            var other = array
            other.swapAt(0, index)
            if other != array { others.append(other) }
        }
        // The sequence of Thue and Morse: its positive and negative powers of a base would cancel each other modulo 2⁶⁴.
        let balanced = (0..<4_096).map { $0.nonzeroBitCount % 2 }
        let pair = [balanced, balanced.map { 1 - $0 }].map { JSONArray($0.map { JSON($0) }).hash(.portable, hash) }
        #expect(others.allSatisfy { $0.hash(.portable, hash) != known } && pair[0] != pair[1])
    }
}
