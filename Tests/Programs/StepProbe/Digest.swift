/// A number that almost certainly differs if what was added to it does: the FNV-1a hash of 64 bits.
struct Digest: CustomStringConvertible {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    var description: String { String(hash, radix: 16) }
}
