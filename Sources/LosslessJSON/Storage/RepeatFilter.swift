/// Finds out quickly that the keys of an object differ: a hit here may be a repeated key, a miss cannot be.
struct RepeatFilter {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Files a fingerprint and says whether an equal one, or one that looks like it, was filed before.
    @inline(__always)
    mutating func hits(_ fingerprint: UInt64) -> Bool {
        let mixed = fingerprint &* 0x9E37_79B9_7F4A_7C15
        let bit = UInt64(1) &<< (mixed &>> 58)
        return withUnsafeMutableBytes(of: &bits) { raw in
            let word = raw.baseAddress!.assumingMemoryBound(to: UInt64.self) + Int(mixed &>> 56 & 3)
            let hit = word.pointee & bit != 0
            word.pointee |= bit
            return hit
        }
    }

    /// Something that equal keys share, and different ones rarely.
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
    static func findsRepeatedKey(_ members: UnsafeMutablePointer<Member>, _ count: Int) -> Bool {
        var filter = RepeatFilter()
        for index in 0..<count where filter.hits(fingerprint(members[index].key)) {
            for earlier in 0..<index where Text.sameBytes(members[earlier].key, members[index].key) { return true }
        }
        return false
    }
}

extension HashIndex {
    /// Whether two places are filed under one hash and `isSame`.
    func containsRepeat(_ isSame: (Int, Int) -> Bool) -> Bool {
        switch self {
        case .branch(let page): return (0..<page.count).contains { page.elements[$0].containsRepeat(isSame) }
        case .leaf(let page):
            let (pairs, count) = (page.elements, page.count)
            var filter = RepeatFilter()
            for later in 0..<count where filter.hits(pairs[later] &>> 32) {
                for earlier in 0..<later where (pairs[earlier] ^ pairs[later]) &>> 32 == 0 {
                    if isSame(HashIndex.place(pairs[earlier]), HashIndex.place(pairs[later])) { return true }
                }
            }
            return false
        }
    }
}
