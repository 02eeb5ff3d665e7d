/// The name of an object's file: 128 random bits as hexadecimal digits, never used again.
struct ObjectName: Hashable, Sendable {
    let text: String

    /// A new name.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = [generator.next(), generator.next()].map { (bits: UInt64) in
            let digits = String(bits, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Parses a name; nil if the text is not one.
    init?(_ text: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 32, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }
}
