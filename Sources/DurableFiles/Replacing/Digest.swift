/// A 64-bit hash of file contents for the names of temporary files, the same in every process and on every machine.
///
/// It distinguishes versions of one file and is not collision-resistant against an attacker: only together with the
/// inode number does it prove anything.
package struct Digest: Hashable {
    package let value: UInt64

    init(value: UInt64) { self.value = value }

    package init(_ bytes: [UInt8]) { self = bytes.withUnsafeBytes { Digest($0) } }

    package init(_ bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
        }
        let words = bytes.count / 8
        let blocks = words / 8
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        if blocks > 0 {
            // A product waits for the one before, so four chains of them take little longer than one.
            var (a, b, c, d) = (state, state &+ 1, state &+ 2, state &+ 3)
            for block in 0..<blocks {
                let first = block &* 8
                Digest.mix(&a, word(first), word(first &+ 1))
                Digest.mix(&b, word(first &+ 2), word(first &+ 3))
                Digest.mix(&c, word(first &+ 4), word(first &+ 5))
                Digest.mix(&d, word(first &+ 6), word(first &+ 7))
            }
            Digest.mix(&state, a)
            Digest.mix(&state, b)
            Digest.mix(&state, c)
            Digest.mix(&state, d)
        }
        for index in blocks * 8..<words { Digest.mix(&state, word(index)) }
        var rest: UInt64 = 0
        for byte in bytes[(words * 8)...] { rest = rest << 8 | UInt64(byte) }
        Digest.mix(&state, rest)
        Digest.mix(&state, UInt64(bytes.count))
        value = state
    }

    /// Mixes by a 128-bit product: every bit of its halves depends on all bits of both factors. Bytes that make a factor 0
    /// are not in a text in UTF-8, and in others they leave the state to the words before.
    private static func mix(_ state: inout UInt64, _ word: UInt64, _ next: UInt64 = 0) {
        let (high, low) = (state ^ word).multipliedFullWidth(by: next ^ 0xD6E8_FEB8_6659_FD93)
        state = state &+ (high ^ low) &+ 0xA076_1D64_78BD_642F
    }
}
