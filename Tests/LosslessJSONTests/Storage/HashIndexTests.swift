import TestSupport
import Testing

@testable import LosslessJSON

@Suite("A hash index")
struct HashIndexTests {
    static func index(_ pairs: [UInt64]) -> HashIndex {
        let storage = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, 2 * pairs.count))
        defer { storage.deallocate() }
        storage.initialize(from: pairs, count: pairs.count)
        return HashIndex.make(storage, pairs.count, storage + pairs.count)
    }

    /// Random hashes, and hashes that differ only in their last bits or not at all.
    static let kinds: [Kind] = [.spread, .crowded, .alike, .same]

    enum Kind: Sendable {
        case spread
        case crowded
        case alike
        case same

        func hash(_ random: inout SeededGenerator) -> UInt32 {
            switch self {
            case .spread: UInt32(truncatingIfNeeded: random.next())
            case .crowded: 0xABCD_0000 | UInt32(random.below(64))
            case .alike: 0xABCD_EF00 | UInt32(random.below(4))  // the same path down to the lowest leaf
            case .same: 0xFFFF_FFFF
            }
        }
    }

    @Test(
        "An index built at once finds every position", arguments: [0, 1, 2, 63, 64, 65, 66, 1_024, 2_049, 5_000], kinds)
    func building(count: Int, kind: Kind) {
        var random = SeededGenerator(UInt64(count))
        let hashes = (0..<count).map { _ in kind.hash(&random) }
        let pairs = hashes.enumerated().map { HashIndex.pair($1, $0) }
        let index = HashIndexTests.index(pairs)
        #expect(index.fault == nil)
        #expect(index.pairs.sorted() == pairs.sorted())
        #expect(hashes.indices.allSatisfy { position in index.find(hashes[position]) { $0 == position } == position })
    }

    @Test("A missing hash offers no positions, a present hash only its own")
    func missing() {
        let index = HashIndexTests.index((0..<1_000).map { HashIndex.pair(UInt32($0) &* 2_654_435_761, $0) })
        func candidates(_ hash: UInt32) -> [Int] {
            var positions: [Int] = []
            let found = index.find(hash) { position in
                positions.append(position)
                return false
            }
            #expect(found == nil)
            return positions
        }
        #expect(candidates(1) == [])
        #expect(candidates(7 &* 2_654_435_761) == [7])
        #expect(HashIndexTests.index([]).find(0) { _ in true } == nil)
    }

    @Test("Positions up to the maximum of 32 bits are stored and found")
    func largePositions() {
        let position = Int(UInt32.max)
        let index = HashIndexTests.index([HashIndex.pair(.max, position)]).inserting(HashIndex.pair(.max, position - 1))
        #expect(index.find(.max) { $0 == position } == position)
        #expect(index.find(.max) { $0 == position - 1 } == position - 1)
    }

    @Test(
        "Random edits match a list of pairs and leave earlier versions unchanged", arguments: SeededGenerator.seeds,
        kinds)
    func random(seed: UInt64, kind: Kind) {
        var random = SeededGenerator(seed)
        var model: [UInt64] = []
        var index = HashIndexTests.index([])
        var versions = [(index, model)]
        for step in 0..<600 {
            if random.chance(65) || model.isEmpty {
                let pair = HashIndex.pair(kind.hash(&random), step)
                index = index.inserting(pair)
                model.append(pair)
            } else {
                index = index.removing(model.remove(at: random.below(model.count)))
            }
            if let fault = index.fault {
                Issue.record("\(fault), seed \(seed), step \(step), \(kind)")
                return
            }
            if step % 10 == 0 { versions.append((index, model)) }
        }
        for (index, model) in versions {
            #expect(index.pairs.sorted() == model.sorted(), "seed \(seed), \(kind)")
        }
    }

    @Test("Removing a missing pair changes nothing")
    func removingNothing() {
        let pairs = (0..<200).map { HashIndex.pair(UInt32($0) &* 2_654_435_761, $0) }
        let index = HashIndexTests.index(pairs)
        #expect(index.removing(HashIndex.pair(12_345, 1)).pairs.sorted() == pairs.sorted())
        #expect(index.removing(HashIndex.pair(0, 1)).pairs.sorted() == pairs.sorted())
    }

    @Test("Positions from one on move, and the others stay", arguments: [1, 64, 65, 3_000], kinds)
    func moving(count: Int, kind: Kind) {
        var random = SeededGenerator(UInt64(count))
        let pairs = (0..<count).map { HashIndex.pair(kind.hash(&random), $0 + 10) }
        for (first, distance) in [(10, -10), (10 + count / 2, 7), (10 + count, 3), (12, 0), (0, 1)] {
            let moved = HashIndexTests.index(pairs).moving(from: first, by: distance)
            #expect(moved.fault == nil)
            let expected = pairs.map { pair in
                let position = HashIndex.position(pair)
                return HashIndex.pair(UInt32(pair >> 32), position < first ? position : position + distance)
            }
            #expect(moved.pairs.sorted() == expected.sorted())
        }
    }
}
