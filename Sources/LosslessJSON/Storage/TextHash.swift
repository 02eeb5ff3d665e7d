/// Hashes of keys for ``HashIndex``.
///
/// Seeded per process, so that a file cannot be crafted to cause collisions; as the standard library's hashes are, which
/// are the same in each process with `SWIFT_DETERMINISTIC_HASHING=1` in its environment.
enum TextHash {
    static let seed = (randomOdd(1), randomOdd(2))

    private static func randomOdd(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number.hashValue)) | 1 }

    private static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        return high ^ low
    }

    @inline(__always)
    static func of(_ text: Text) -> UInt32 {
        switch text {
        case .short(let short): of(short)
        case .slice(let slice), .escaped(let slice): of(long: slice.start, slice.count)
        }
    }

    @inline(__always)
    static func of(_ short: ShortText) -> UInt32 {
        let (first, second) = seed
        return UInt32(truncatingIfNeeded: mix(mix(short.low ^ first, short.rest ^ second), golden))
    }

    /// For more bytes than a short text holds.
    @inline(__always)
    static func of(long start: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        let raw = UnsafeRawPointer(start)
        let (first, second) = seed
        var hash = UInt64(truncatingIfNeeded: count) ^ first
        var index = 0
        while index &+ 16 < count {
            let left = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let right = raw.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
            hash = mix(left ^ hash, right ^ second)
            index &+= 16
        }
        // The last sixteen bytes overlap those already read; fifteen bytes are two overlapping words.
        let left = raw.loadUnaligned(fromByteOffset: max(0, count &- 16), as: UInt64.self)
        let right = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        return UInt32(truncatingIfNeeded: mix(mix(left ^ hash, right ^ second), golden))
    }
}
