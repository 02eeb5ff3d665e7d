/// What stands between two items of a container, or between one and a bracket, and which of the comments there are whose.
///
/// A comment is an item's own when it
/// - begins behind it on the line on which it ends, unless another item follows on that line behind the comma,
/// - goes on below such a comment in the same column,
/// - stands on the lines directly above the item, with no blank line between, or before it on its line.
///
/// The rest is nobody's, and stays whatever happens to the items.
struct Gap {
    private(set) var pieces: [Piece]
    private let bytes: UnsafeBufferPointer<UInt8>
    private let range: Range<Int>

    init(
        _ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, hasItemBefore: Bool, hasItemBehind: Bool
    ) {
        (self.range, self.bytes) = (range, bytes)
        pieces = Piece.all(in: bytes, range)
        guard pieces.contains(where: \.isComment) else { return }
        let lines = pieces.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.indices)
        if lines.count == 1 {
            ownOnOneLine(hasItemBefore, hasItemBehind)
        } else {
            if hasItemBehind { ownAbove(lines) }
            if hasItemBefore { ownBehind(lines) }
        }
    }

    private mutating func own(_ indices: some Sequence<Int>, _ owner: Piece.Owner) {
        for index in indices where pieces[index].isComment { pieces[index].owner = owner }
    }

    private mutating func ownOnOneLine(_ hasItemBefore: Bool, _ hasItemBehind: Bool) {
        let comma = pieces.firstIndex(where: \.isComma)
        let border = hasItemBehind ? comma ?? pieces.startIndex : pieces.endIndex
        if hasItemBefore { own(pieces[..<border].indices, .left) }
        own(pieces[border...].indices, .right)
    }

    /// The line of the item behind the gap, and the lines of comments directly above it.
    private mutating func ownAbove(_ lines: [Range<Int>]) {
        own(lines.last!, .right)
        for line in lines.dropFirst().dropLast().reversed() {
            let hasComment = pieces[line].contains(where: \.isComment)
            guard hasComment, !pieces[line].contains(where: \.isComma) else { return }
            own(line, .right)
        }
    }

    /// The line of the item before the gap, and what goes on below its comment.
    private mutating func ownBehind(_ lines: [Range<Int>]) {
        own(lines[0], .left)
        guard let comment = pieces[lines[0]].last(where: \.isComment), comment.isLineComment else { return }
        var lineStart = comment.range.lowerBound
        while lineStart > 0, !bytes.isLineEnd(lineStart - 1) { lineStart -= 1 }
        let column = bytes.characters(in: lineStart..<comment.range.lowerBound)
        if column == self.column(on: lines.last!, at: range.upperBound) { return }
        for line in lines.dropFirst().dropLast() {
            guard let first = pieces[line].first(where: { !$0.isSpace }), first.isLineComment,
                self.column(on: line, at: first.range.lowerBound) == column
            else { return }
            own(line, .left)
        }
    }

    /// How far from the beginning of one of the lines behind the first a byte on it is.
    private func column(on line: Range<Int>, at offset: Int) -> Int {
        bytes.characters(in: pieces[line.lowerBound - 1].range.upperBound..<offset)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How many scalars a range of UTF-8 holds.
    fileprivate func characters(in range: Range<Int>) -> Int { self[range].count { $0 & 0xC0 != 0x80 } }
}
