internal import VisibleText

/// One line of a text with a caret below a location.
///
/// Characters that are invisible or that a terminal might interpret (control characters, direction marks) appear as
/// U+FFFD. Long lines are truncated.
public struct JSONExcerpt: Sendable, Hashable {
    /// The line, or the part of it around the location.
    public let line: String

    /// The number of columns before the location.
    public let indentation: Int

    private static let before = 60
    private static let after = 40

    init(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let offset = min(offset, bytes.count)
        let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let furthest = max(0, offset - 4 * JSONExcerpt.before - 4)
        var start = bytes[furthest..<offset].lastIndex(where: isLineEnd).map { $0 + 1 } ?? furthest
        let lineStartsHere = start == 0 || isLineEnd(bytes[start - 1])
        if start == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = min(3, offset) }
        while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }  // not in the middle of a scalar
        let limit = min(bytes.count, offset + 4 * JSONExcerpt.after)
        let end = bytes[offset..<limit].firstIndex(where: isLineEnd) ?? limit

        let left = JSONExcerpt.visible(bytes[start..<offset])
        let right = JSONExcerpt.visible(bytes[offset..<end])
        let prefix = lineStartsHere && left.count <= JSONExcerpt.before ? left : ["…"] + left.suffix(JSONExcerpt.before)
        let isCut = right.count > JSONExcerpt.after || (end == limit && limit < bytes.count)
        line = String(String.UnicodeScalarView(prefix + right.prefix(JSONExcerpt.after))) + (isCut ? "…" : "")
        indentation = prefix.count
    }

    private static func visible(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> [Unicode.Scalar] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.visible)
    }
}

extension JSONExcerpt: CustomStringConvertible {
    /// The line, followed by a line with the caret.
    public var description: String { line + "\n" + String(repeating: " ", count: indentation) + "^" }
}
