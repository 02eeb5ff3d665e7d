/// The white space, comments and comma between two items of a container, or between an item and a bracket, with the
/// item that each comment belongs to.
///
/// A comment belongs to an item if it
///
/// - starts after it on its last line, unless another item follows on that line after the comma,
/// - continues such a comment on the next lines in the same column,
/// - is on the lines directly above the item, without a blank line in between, or before it on its line.
///
/// All other comments are unattached and remain, whatever happens to the items.
struct Trivia {
    private(set) var tokens: [Token]
    private let bytes: UnsafeBufferPointer<UInt8>
    private let range: Range<Int>

    init(
        _ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, hasItemBefore: Bool, hasItemAfter: Bool
    ) {
        (self.range, self.bytes) = (range, bytes)
        tokens = Token.all(in: bytes, range)
        guard tokens.contains(where: \.isComment) else { return }
        let lines = tokens.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.indices)
        if lines.count == 1 {
            assignOnOneLine(hasItemBefore, hasItemAfter)
        } else {
            if hasItemAfter { assignLeadingComments(lines) }
            if hasItemBefore { assignTrailingComments(lines) }
        }
    }

    private mutating func assign(_ indices: some Sequence<Int>, _ owner: Token.Owner) {
        for index in indices where tokens[index].isComment { tokens[index].owner = owner }
    }

    private mutating func assignOnOneLine(_ hasItemBefore: Bool, _ hasItemAfter: Bool) {
        let comma = tokens.firstIndex(where: \.isComma)
        let border = hasItemAfter ? comma ?? tokens.startIndex : tokens.endIndex
        if hasItemBefore { assign(tokens[..<border].indices, .previousItem) }
        assign(tokens[border...].indices, .nextItem)
    }

    /// Assigns the comments on the line of the next item, and on the comment lines directly above it.
    private mutating func assignLeadingComments(_ lines: [Range<Int>]) {
        assign(lines.last!, .nextItem)
        for line in lines.dropFirst().dropLast().reversed() {
            let hasComment = tokens[line].contains(where: \.isComment)
            guard hasComment, !tokens[line].contains(where: \.isComma) else { return }
            assign(line, .nextItem)
        }
    }

    /// Assigns the comments on the line of the previous item, and those that continue the last of them.
    private mutating func assignTrailingComments(_ lines: [Range<Int>]) {
        assign(lines[0], .previousItem)
        guard let comment = tokens[lines[0]].last(where: \.isComment), comment.isLineComment else { return }
        var lineStart = comment.range.lowerBound
        while lineStart > 0, !bytes.isLineEnd(lineStart - 1) { lineStart -= 1 }
        let column = bytes.characters(in: lineStart..<comment.range.lowerBound)
        if column == self.column(on: lines.last!, at: range.upperBound) { return }
        for line in lines.dropFirst().dropLast() {
            guard let first = tokens[line].first(where: { !$0.isSpace }), first.isLineComment,
                self.column(on: line, at: first.range.lowerBound) == column
            else { return }
            assign(line, .previousItem)
        }
    }

    /// The column of an offset on a line other than the first.
    private func column(on line: Range<Int>, at offset: Int) -> Int {
        bytes.characters(in: tokens[line.lowerBound - 1].range.upperBound..<offset)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of Unicode scalars in a range of UTF-8.
    fileprivate func characters(in range: Range<Int>) -> Int { self[range].count { $0 & 0xC0 != 0x80 } }
}
