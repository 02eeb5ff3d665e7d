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

    /// Whether no other item and no bracket stands before an item on its line.
    func isFirstOnLine(_ item: ContainerPlace.Item) -> Bool {
        var start = item.start
        while start > item.gapStart, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        if start == item.gapStart { return false }
        return bytes.isLineEnd(start - 1) || Piece.all(in: bytes, item.gapStart..<start).contains(where: \.isNewline)
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

    /// The same, and spaces for a comma that begins the line.
    func itemIndentation(around offset: Int) -> [UInt8] {
        let indentation = indentation(around: offset)
        guard indentation.upperBound < bytes.count, bytes[indentation.upperBound] == UInt8(ascii: ",") else {
            return self[indentation]
        }
        let space = bytes[(indentation.upperBound + 1)...].prefix { $0 == 0x20 || $0 == 0x09 }
        return self[indentation] + [0x20] + space
    }

    subscript(range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}

extension UnsafeBufferPointer<UInt8> {
    func isLineEnd(_ offset: Int) -> Bool { self[offset] == 0x0A || self[offset] == 0x0D }
}
