/// The rules for messages, whatever text they quote. Shares no code with the library.
enum MessageRules {
    /// The maximum length of a message in scalars. Quoted text is truncated, which limits the length of log lines.
    static let longest = 10_000

    /// The first scalar that is invisible or that a terminal or a log may interpret.
    static func forbidden(in message: String) -> Unicode.Scalar? {
        for scalar in message.unicodeScalars where !(0x20..<0x7F).contains(scalar.value) && scalar.value != 0xFFFD {
            if isNoncharacter(scalar) { return scalar }
            for range in ranges where range.contains(scalar.value) { return scalar }
        }
        return nil
    }

    private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD,  // C0, DEL, C1, soft hyphen
        0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,  // direction, zero width, separators
        0x34F...0x34F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x3164...0x3164, 0xFFA0...0xFFA0,  // fillers
        0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFF0...0xFFFB,  // variation selectors, byte-order mark, annotations
        0xE000...0xF8FF, 0xF_0000...0x10_FFFF, 0xE_0000...0xE_0FFF,  // private use, tags
        0x378...0x379, 0x2FE0...0x2FEF,  // unassigned
    ]

    /// A description of the first broken rule, for a message of at most `lines` lines; nil if there is none.
    static func violation(in message: String, lines: Int = 1) -> String? {
        let parts = message.split(separator: "\n", omittingEmptySubsequences: false)
        if parts.count > lines { return "has \(parts.count) lines" }
        if message.unicodeScalars.count > longest { return "has \(message.unicodeScalars.count) scalars" }
        return parts.lazy.compactMap { forbidden(in: String($0)) }.first.map {
            "holds U+\(String($0.value, radix: 16))"
        }
    }
}
