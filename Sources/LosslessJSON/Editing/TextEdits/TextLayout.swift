/// The lines and indentation of a text, for one set of edits.
///
/// The most recent line is cached: a text may be one line of megabytes, with an edit in every part of it.
final class TextLayout {
    let bytes: UnsafeBufferPointer<UInt8>

    /// The line ending of the text; LF if it has only one line.
    private(set) lazy var newline: [UInt8] = firstNewline()

    /// The range from the start of a line to an offset on it.
    private var cachedLine = 0..<0

    /// By the offset of the opening bracket.
    private var cachedIndentations: [Int: Range<Int>] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The first line ending outside comments.
    private func firstNewline() -> [UInt8] {
        var cursor = TextCursor(bytes)
        while !cursor.isAtEnd {
            switch cursor.byte {
            case 0x0A: return [0x0A]
            case 0x0D: return cursor.nextByte == 0x0A ? [0x0D, 0x0A] : [0x0D]
            case UInt8(ascii: "/"): cursor.skipComment()
            case UInt8(ascii: "\""): cursor.skipString()
            default: cursor.advance()
            }
        }
        return [0x0A]
    }

    func isSpace(_ offset: Int) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) }

    /// Whether no other item and no bracket precedes an item on its line.
    func isFirstOnLine(_ item: ContainerRange.Item) -> Bool {
        var start = item.start
        while start > item.triviaStart, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        if start == item.triviaStart { return false }
        return bytes.isLineEnd(start - 1) || Token.all(in: bytes, item.triviaStart..<start).contains(where: \.isNewline)
    }

    /// The start of the line that contains an offset.
    func lineStart(before offset: Int) -> Int {
        if cachedLine.contains(offset) { return cachedLine.lowerBound }
        let cached = cachedLine.upperBound <= offset ? cachedLine.upperBound : 0
        var start = offset
        while start > cached, !bytes.isLineEnd(start - 1) { start -= 1 }
        if start == cached && cached > 0 { start = cachedLine.lowerBound }
        cachedLine = start..<offset + 1
        return start
    }

    /// The indentation of the line that contains an offset.
    func indentation(around offset: Int) -> Range<Int> {
        let start = lineStart(before: offset)
        var end = start
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        return start..<end
    }

    /// The indentation of an opening bracket's line, cached because each of its items needs it.
    func indentation(aroundBracket offset: Int) -> Range<Int> {
        if let cached = cachedIndentations[offset] { return cached }
        let indentation = indentation(around: offset)
        cachedIndentations[offset] = indentation
        return indentation
    }

    /// The indentation of an item, with spaces in place of a comma at the start of the line.
    func itemIndentation(around offset: Int) -> [UInt8] {
        let indentation = indentation(around: offset)
        guard indentation.upperBound < bytes.count, bytes[indentation.upperBound] == UInt8(ascii: ",") else {
            return space(indentation)
        }
        let afterComma = bytes[(indentation.upperBound + 1)...].prefix { $0 == 0x20 || $0 == 0x09 }
        return space(indentation) + [0x20] + space(afterComma.indices)
    }

    /// The maximum width of copied indentation: a million spaces in the text must not become a million for each member
    /// of a new value.
    static let maximumCopiedIndentation = 1_000

    /// The bytes of a range of white space, up to the maximum width.
    func space(_ range: Range<Int>) -> [UInt8] { Array(bytes[range].prefix(TextLayout.maximumCopiedIndentation)) }
}

extension UnsafeBufferPointer<UInt8> {
    func isLineEnd(_ offset: Int) -> Bool { self[offset] == 0x0A || self[offset] == 0x0D }
}
