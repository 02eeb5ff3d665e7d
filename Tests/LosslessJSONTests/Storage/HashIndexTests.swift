import Testing

@testable import LosslessJSON

@Suite("A hash index")
struct HashIndexTests {
    static func index(_ pairs: [UInt64]) -> HashIndex {
        let room = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, 2 * pairs.count))
        defer { room.deallocate() }
        room.initialize(from: pairs, count: pairs.count)
        return HashIndex.make(room, pairs.count, room + pairs.count)
    }

    /// Hashes as they come, and hashes that differ only in their last bits or not at all.
    static let kinds: [Kind] = [.spread, .crowded, .alike, .same]

    enum Kind: Sendable {
        case spread
        case crowded
        case alike
        case same

        func hash(_ random: inout Seeded) -> UInt32 {
            switch self {
            case .spread: UInt32(truncatingIfNeeded: random.next())
            case .crowded: 0xABCD_0000 | UInt32(random.below(64))
            case .alike: 0xABCD_EF00 | UInt32(random.below(4))  // the same path down to the lowest leaf
            case .same: 0xFFFF_FFFF
            }
        }
    }

    @Test("built at once, it finds every place", arguments: [0, 1, 2, 63, 64, 65, 66, 1_024, 2_049, 5_000], kinds)
    func building(count: Int, kind: Kind) {
        var random = Seeded(UInt64(count))
        let hashes = (0..<count).map { _ in kind.hash(&random) }
        let pairs = hashes.enumerated().map { HashIndex.pair($1, $0) }
        let index = HashIndexTests.index(pairs)
        #expect(index.fault == nil)
        #expect(index.pairs.sorted() == pairs.sorted())
        #expect(hashes.indices.allSatisfy { place in index.find(hashes[place]) { $0 == place } == place })
    }

    @Test("a hash that was never filed is not found, and one that was is offered only its own places")
    func missing() {
        let index = HashIndexTests.index((0..<1_000).map { HashIndex.pair(UInt32($0) &* 2_654_435_761, $0) })
        func offered(_ hash: UInt32) -> [Int] {
            var places: [Int] = []
            let found = index.find(hash) { place in
                places.append(place)
                return false
            }
            #expect(found == nil)
            return places
        }
        #expect(offered(1) == [])
        #expect(offered(7 &* 2_654_435_761) == [7])
        #expect(HashIndexTests.index([]).find(0) { _ in true } == nil)
    }

    @Test("places up to the largest that 32 bits hold survive")
    func largePlaces() {
        let place = Int(UInt32.max)
        let index = HashIndexTests.index([HashIndex.pair(.max, place)]).inserting(HashIndex.pair(.max, place - 1))
        #expect(index.find(.max) { $0 == place } == place)
        #expect(index.find(.max) { $0 == place - 1 } == place - 1)
    }

    @Test("random edits agree with a list of pairs, and no version ever changes", arguments: Seeded.seeds, kinds)
    func random(seed: UInt64, kind: Kind) {
        var random = Seeded(seed)
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

    @Test("removing what is not there changes nothing")
    func removingNothing() {
        let pairs = (0..<200).map { HashIndex.pair(UInt32($0) &* 2_654_435_761, $0) }
        let index = HashIndexTests.index(pairs)
        #expect(index.removing(HashIndex.pair(12_345, 1)).pairs.sorted() == pairs.sorted())
        #expect(index.removing(HashIndex.pair(0, 1)).pairs.sorted() == pairs.sorted())
    }
}
