/// 64 bits that stand for bytes in the name of a left-over, the same in every process and on every machine.
///
/// They tell versions of one file apart. Whoever wants two contents with the same digest can make them: only together
/// with the number of the file they prove anything.
package struct Digest: Hashable {
    package let value: UInt64

    init(value: UInt64) { self.value = value }

    package init(_ bytes: [UInt8]) {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        Digest.stir(&state, UInt64(bytes.count))
        bytes.withUnsafeBytes { bytes in
            let words = bytes.count / 8
            for word in 0..<words {
                Digest.stir(
                    &state, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)))
            }
            var rest: UInt64 = 0
            for byte in bytes[(words * 8)...] { rest = rest << 8 | UInt64(byte) }
            Digest.stir(&state, rest)
        }
        value = state
    }

    /// Every bit of the product's halves depends on all of both factors, of which neither is ever 0 for long.
    private static func stir(_ state: inout UInt64, _ word: UInt64) {
        let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = (high ^ low) &+ 0xA076_1D64_78BD_642F
    }
}
