/// An index from the keys of a large object to their positions: a trie of pages that hold (hash, position) pairs, with
/// eight children per level, selected by three bits of the hash.
///
/// A pair is one word with the hash in its upper half. The caller, who has the keys, resolves equal hashes.
enum HashIndex: @unchecked Sendable {  // pages never change once shared
    case leaf(Page<UInt64>)
    case branch(Page<HashIndex>)

    /// The maximum number of pairs in a leaf. Small leaves cost memory, and a page each, which is also why branches are
    /// narrow: with 32 children, 100,000 short keys have leaves of three pairs.
    static let capacity = 64

    static let bits: UInt64 = 3
    static let ways = 1 << Int(bits)
    static let topShift = 64 - bits
    static let lowestShift: UInt64 = 32

    @inline(__always)
    private static func slot(_ pair: UInt64, _ shift: UInt64) -> Int { Int(pair &>> shift & (1 &<< bits &- 1)) }

    @inline(__always)
    static func pair(_ hash: UInt32, _ position: Int) -> UInt64 { UInt64(hash) &<< 32 | UInt64(position) }

    @inline(__always)
    static func position(_ pair: UInt64) -> Int { Int(pair & 0xFFFF_FFFF) }

    /// Builds an index by counting sort on the bits of one level. Reorders `pairs`; `spare` must have the same size.
    static func make(
        _ pairs: UnsafeMutablePointer<UInt64>, _ count: Int, _ spare: UnsafeMutablePointer<UInt64>,
        _ shift: UInt64 = topShift
    ) -> HashIndex {
        if count <= capacity || shift < lowestShift {
            return .leaf(Page.make(count) { $0.initialize(from: pairs, count: count) })
        }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * ways + 1) { room in
            room.initialize(repeating: 0)
            let (ends, starts) = (room.baseAddress!, room.baseAddress! + ways)
            for index in 0..<count { starts[slot(pairs[index], shift) &+ 1] &+= 1 }
            for bucket in 0..<ways {
                starts[bucket + 1] += starts[bucket]
                ends[bucket] = starts[bucket]
            }
            for index in 0..<count {
                let bucket = slot(pairs[index], shift)
                spare[ends[bucket]] = pairs[index]
                ends[bucket] &+= 1
            }
            return .branch(
                Page.make(ways) { slots in
                    for bucket in 0..<ways {
                        let (start, size) = (starts[bucket], starts[bucket + 1] - starts[bucket])
                        (slots + bucket).initialize(to: make(spare + start, size, pairs + start, shift - bits))
                    }
                })
        }
    }

    /// The first position stored under `hash` for which `matches` returns true.
    @inline(__always)
    func find(_ hash: UInt32, _ matches: (Int) -> Bool) -> Int? {
        let pair = HashIndex.pair(hash, 0)
        var shift = HashIndex.topShift
        var here: Unmanaged<Page<HashIndex>>
        switch self {
        case .leaf(let page): return HashIndex.search(page.elements, page.count, hash, matches)
        case .branch(let page): here = .passUnretained(page)
        }
        while true {
            let slot = here._withUnsafeGuaranteedRef { $0.elements } + HashIndex.slot(pair, shift)
            shift &-= HashIndex.bits
            switch slot.pointee {
            case .leaf(let page):
                let (leaf, count) = Unmanaged.passUnretained(page)._withUnsafeGuaranteedRef { ($0.elements, $0.count) }
                return HashIndex.search(leaf, count, hash, matches)
            case .branch(let page): here = .passUnretained(page)
            }
        }
    }

    @inline(__always)
    private static func search(
        _ leaf: UnsafeMutablePointer<UInt64>, _ count: Int, _ hash: UInt32, _ matches: (Int) -> Bool
    ) -> Int? {
        for index in 0..<count where UInt32(truncatingIfNeeded: leaf[index] &>> 32) == hash {
            if matches(position(leaf[index])) { return position(leaf[index]) }
        }
        return nil
    }

    func inserting(_ pair: UInt64, _ shift: UInt64 = topShift) -> HashIndex {
        switch self {
        case .leaf(let page):
            if page.count < HashIndex.capacity || shift < HashIndex.lowestShift {
                return .leaf(page.inserting(pair, at: page.count))
            }
            let count = page.count + 1
            return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * count) { room in
                let pairs = room.baseAddress!
                pairs.initialize(from: page.elements, count: count - 1)
                pairs[count - 1] = pair
                return HashIndex.make(pairs, count, pairs + count, shift)
            }
        case .branch(let page):
            let slot = HashIndex.slot(pair, shift)
            return .branch(page.replacing(slot, with: page.elements[slot].inserting(pair, shift - HashIndex.bits)))
        }
    }

    func removing(_ pair: UInt64, _ shift: UInt64 = topShift) -> HashIndex {
        switch self {
        case .leaf(let page):
            for index in 0..<page.count where page.elements[index] == pair { return .leaf(page.removing(index)) }
            return self
        case .branch(let page):
            let slot = HashIndex.slot(pair, shift)
            return .branch(page.replacing(slot, with: page.elements[slot].removing(pair, shift - HashIndex.bits)))
        }
    }

    /// Moves the positions from `first` on by `distance`, to ones that are free.
    func moving(from first: Int, by distance: Int) -> HashIndex {
        if distance == 0 { return self }
        let difference = UInt64(bitPattern: Int64(distance))
        switch self {
        case .leaf(let page):
            let old = page.elements
            return .leaf(
                Page.make(page.count) { new in
                    for index in 0..<page.count {
                        let pair = old[index]
                        let moved = HashIndex.position(pair) >= first ? pair &+ difference : pair
                        (new + index).initialize(to: moved)
                    }
                })
        case .branch(let page):
            let old = page.elements
            return .branch(
                Page.make(page.count) { new in
                    for slot in 0..<page.count {
                        (new + slot).initialize(to: old[slot].moving(from: first, by: distance))
                    }
                })
        }
    }
}
