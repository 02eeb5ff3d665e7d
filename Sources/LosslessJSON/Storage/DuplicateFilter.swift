/// A Bloom filter that tells quickly that the keys of an object are distinct. A hit may be a duplicate; a miss cannot
/// be one.
struct DuplicateFilter {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Inserts a fingerprint; returns whether its bit was already set.
    @inline(__always)
    mutating func insertReturningHit(_ fingerprint: UInt64) -> Bool {
        let mixed = fingerprint &* 0x9E37_79B9_7F4A_7C15
        let bit = UInt64(1) &<< (mixed &>> 58)
        return withUnsafeMutableBytes(of: &bits) { raw in
            let word = raw.baseAddress!.assumingMemoryBound(to: UInt64.self) + Int(mixed &>> 56 & 3)
            let hit = word.pointee & bit != 0
            word.pointee |= bit
            return hit
        }
    }

    /// A fingerprint that equal keys share and different keys rarely do.
    @inline(__always)
    static func fingerprint(_ key: borrowing Text) -> UInt64 {
        switch copy key {
        case .short(let short): return short.low ^ short.rest &* 0xC2B2_AE3D_27D4_EB4F
        case .slice(let slice), .escaped(let slice):
            let raw = UnsafeRawPointer(slice.start)
            let (count, half) = (slice.count, slice.count &>> 1)
            let last = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            let middle = raw.loadUnaligned(fromByteOffset: half &- 4, as: UInt64.self)
            return last ^ middle &* 0xC2B2_AE3D_27D4_EB4F ^ UInt64(truncatingIfNeeded: count)
        }
    }

    /// Whether two of the members, at most a page of them, have the same key.
    @inline(__always)
    static func hasDuplicateKey(_ members: UnsafeMutablePointer<Member>, _ count: Int) -> Bool {
        var filter = DuplicateFilter()
        for index in 0..<count where filter.insertReturningHit(fingerprint(members[index].key)) {
            for earlier in 0..<index where Text.sameBytes(members[earlier].key, members[index].key) { return true }
        }
        return false
    }
}

extension HashIndex {
    /// Whether the index holds two positions with the same hash for which `isSame` returns true.
    func containsDuplicate(_ isSame: (Int, Int) -> Bool) -> Bool {
        switch self {
        case .branch(let page): return (0..<page.count).contains { page.elements[$0].containsDuplicate(isSame) }
        case .leaf(let page):
            let (pairs, count) = (page.elements, page.count)
            var filter = DuplicateFilter()
            for later in 0..<count where filter.insertReturningHit(pairs[later] &>> 32) {
                for earlier in 0..<later where (pairs[earlier] ^ pairs[later]) &>> 32 == 0 {
                    if isSame(HashIndex.position(pairs[earlier]), HashIndex.position(pairs[later])) { return true }
                }
            }
            return false
        }
    }
}
