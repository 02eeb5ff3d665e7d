/// A text and its lines, for one run of edits.
///
/// The line that was asked about last is remembered: a text may be one line of megabytes, with an edit in every part.
final class EditedText {
    let bytes: UnsafeBufferPointer<UInt8>

    /// What ends the lines; a line feed where there is but one.
    private(set) lazy var newline: [UInt8] = firstNewline()

    /// From the beginning of a line to a byte on it.
    private var knownLine = 0..<0

    /// By the offsets of opening brackets.
    private var knownIndentations: [Int: Range<Int>] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Of the first line that does not end within a comment.
    private func firstNewline() -> [UInt8] {
        var walker = TextWalker(bytes)
        while !walker.isAtEnd {
            switch walker.byte {
            case 0x0A: return [0x0A]
            case 0x0D: return walker.nextByte == 0x0A ? [0x0D, 0x0A] : [0x0D]
            case UInt8(ascii: "/"): walker.skipComment()
            case UInt8(ascii: "\""): walker.skipString()
            default: walker.advance()
            }
        }
        return [0x0A]
    }

    func isSpace(_ offset: Int) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) }

    /// Whether nothing stands before a byte on its line.
    func isFirstOnLine(_ offset: Int) -> Bool {
        var start = offset
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        return start == 0 || bytes.isLineEnd(start - 1)
    }

    /// Where the line begins on which a byte stands.
    func lineStart(before offset: Int) -> Int {
        if knownLine.contains(offset) { return knownLine.lowerBound }
        let known = knownLine.upperBound <= offset ? knownLine.upperBound : 0
        var start = offset
        while start > known, !bytes.isLineEnd(start - 1) { start -= 1 }
        if start == known && known > 0 { start = knownLine.lowerBound }
        knownLine = start..<offset + 1
        return start
    }

    /// What the line begins with on which a byte stands.
    func indentation(around offset: Int) -> Range<Int> {
        let start = lineStart(before: offset)
        var end = start
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        return start..<end
    }

    /// The same for an opening bracket, which is asked about again for each of its items.
    func indentation(aroundBracket offset: Int) -> Range<Int> {
        if let known = knownIndentations[offset] { return known }
        let indentation = indentation(around: offset)
        knownIndentations[offset] = indentation
        return indentation
    }

    subscript(range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}

extension UnsafeBufferPointer<UInt8> {
    func isLineEnd(_ offset: Int) -> Bool { self[offset] == 0x0A || self[offset] == 0x0D }
}
