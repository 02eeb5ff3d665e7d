/// The text between two consecutive remaining items of a container, where items are removed or inserted.
///
/// Either neighbor can be a bracket instead of an item. Sites of a container never overlap and are edited
/// independently.
struct EditSite {
    /// A line of the site. The first line continues the line of the previous item; the last ends where the next item
    /// starts.
    struct Line {
        var tokens: [Token]
        /// nil on the last line.
        var newline: Token?

        var isBlank: Bool { tokens.allSatisfy(\.isSpace) }
        /// The white space at the start of the line.
        var indentation: Token? { tokens.first.flatMap { $0.isSpace ? $0 : nil } }
    }

    let text: UnsafeBufferPointer<UInt8>
    let range: Range<Int>
    let hasItemBefore: Bool
    let hasItemAfter: Bool
    /// Whether the text contained a line end here.
    let wasMultiline: Bool
    var lines: [Line] = []

    /// Creates the site between two items, by index: −1 is the opening bracket, the number of items the closing one.
    init(between previous: Int, and next: Int, of container: ContainerRange, in bytes: UnsafeBufferPointer<UInt8>) {
        text = bytes
        hasItemBefore = previous >= 0
        hasItemAfter = next < container.items.count
        let start = hasItemBefore ? container.items[previous].end : container.openBracket + 1
        range = start..<(hasItemAfter ? container.items[next].start : container.closeBracket)

        var tokens: [Token] = []
        for index in previous + 1...next {
            for token in container.trivia(index, in: bytes).tokens {
                var token = token
                switch token.owner {
                case .previousItem: token.isRemoved = index - 1 != previous
                case .nextItem: token.isRemoved = index != next
                case .unattached: break
                }
                tokens.append(token)
            }
            if index < next {
                var item = Token(.item, container.items[index].start..<container.items[index].end)
                item.isRemoved = true
                tokens.append(item)
            }
        }
        let removedCount = next - previous - 1
        EditSite.removeCommas(from: &tokens, for: removedCount, between: hasItemBefore, and: hasItemAfter)
        lines = EditSite.lines(of: tokens)
        wasMultiline = lines.count > 1
        if removedCount > 0 { removeMarkedTokens() }
    }

    /// Marks one comma for each removed item; if the container loses its last item, marks all commas.
    private static func removeCommas(
        from tokens: inout [Token], for removedCount: Int, between hasItemBefore: Bool, and hasItemAfter: Bool
    ) {
        let commas = tokens.indices.filter { tokens[$0].isComma }
        var kept: Int?
        if hasItemBefore, commas.count > removedCount {
            // Keeps the comma next to a remaining item, whether commas end or start lines here.
            let newline = tokens.firstIndex(where: \.isNewline) ?? tokens.endIndex
            let lastNewline = tokens.lastIndex(where: \.isNewline) ?? tokens.endIndex
            kept = commas[0] < newline || commas.last! < lastNewline ? commas[0] : commas.last!
        }
        for comma in commas where comma != kept { tokens[comma].isRemoved = true }
    }

    private static func lines(of tokens: [Token]) -> [Line] {
        var lines: [Line] = []
        var line = Line(tokens: [])
        for token in tokens {
            if token.isNewline {
                line.newline = token
                lines.append(line)
                line = Line(tokens: [])
            } else {
                line.tokens.append(token)
            }
        }
        return lines + [line]
    }

    /// The new text of the site.
    var bytes: [UInt8] {
        lines.flatMap { $0.tokens + ($0.newline.map { [$0] } ?? []) }.flatMap { token in
            if case .inserted(let bytes) = token.kind { bytes } else { Array(text[token.range]) }
        }
    }
}
