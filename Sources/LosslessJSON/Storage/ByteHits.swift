/// Which of eight bytes are the ones that are looked for: the high bit of each of them, exact for the first one.
struct ByteHits {
    private let bits: UInt64

    private init(bits: UInt64) { self.bits = bits }

    /// Looks for `byte` in eight bytes.
    @inline(__always)
    init(_ bytes: UInt64, _ byte: UInt8) {
        let others = bytes ^ ByteHits.each(byte)
        // A borrow can only corrupt bytes after a hit.
        bits = (others &- ByteHits.each(1)) & ~others & ByteHits.each(0x80)
    }

    /// Eight times the same byte.
    @inline(__always)
    static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    @inline(__always)
    static func | (a: ByteHits, b: ByteHits) -> ByteHits { ByteHits(bits: a.bits | b.bits) }

    /// The number of bytes before the first hit; nil if there is none.
    @inline(__always)
    var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount &>> 3 }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first offset from `start` on at which `hits` finds a byte, eight at a time; without one, an offset from which
    /// fewer than eight are left before `end`.
    @inline(__always)
    func skip(from start: Int, to end: Int, until hits: (UInt64) -> ByteHits) -> Int {
        guard let bytes = UnsafeRawPointer(baseAddress) else { return start }
        var offset = start
        while offset + 8 <= end {
            if let first = hits(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)).first {
                return offset + first
            }
            offset += 8
        }
        return offset
    }
}
