/// How the items of a container are laid out, for new ones to follow.
struct ContainerLayout {
    /// Whether each item stands on its own line.
    var hasLines: Bool
    /// What stands before an item on its line.
    var indentation: [UInt8]
    /// What stands before the line on which the container begins.
    let outerIndentation: [UInt8]
    /// What a level adds.
    let unit: [UInt8]
    let newline: [UInt8]
    let spacing: Spacing
    /// Where commas begin the lines: what stands before and behind them.
    private(set) var leadingComma: (before: [UInt8], behind: [UInt8])?
    /// Whether a comma stands behind the last item.
    private(set) var hasTrailingComma = false
    /// Of items that hold an object on one line: the spaces in it.
    private(set) var objectSpacing: Spacing?

    /// The layout of a container that stands in some surroundings.
    init(of place: ContainerPlace, _ surroundings: Surroundings, in text: EditedText) {
        outerIndentation = text[text.indentation(aroundBracket: place.open)]
        newline = text.newline
        let last = place.items.last
        let inner = last.map { surroundings.inside(place, at: $0, in: text) } ?? surroundings
        (hasLines, unit, spacing) = (inner.hasLines, inner.unit(in: text), inner.spacing)
        indentation = outerIndentation + unit
        guard let last else { return }
        if hasLines { indentation = text.itemIndentation(around: last.start) }
        takeLeadingComma(place.gap(place.items.count - 1, in: text.bytes).pieces, in: text)
        hasTrailingComma = place.gap(place.items.count, in: text.bytes).pieces.contains(where: \.isComma)
        objectSpacing = text.objectSpacing(of: last)
    }

    private mutating func takeLeadingComma(_ pieces: [Piece], in text: EditedText) {
        guard let comma = pieces.lastIndex(where: \.isComma), pieces[..<comma].contains(where: \.isNewline),
            !pieces[comma...].contains(where: \.isNewline)
        else { return }
        let space = pieces[(comma + 1)...].first.flatMap { $0.isSpace ? text[$0.range] : nil } ?? []
        leadingComma = (pieces[comma - 1].isSpace ? text[pieces[comma - 1].range] : [], space)
    }
}

extension EditedText {
    /// The spaces within an object on one line that is the value of an item; nil where it is none.
    fileprivate func objectSpacing(of item: ContainerPlace.Item) -> Spacing? {
        var walker = TextWalker(bytes, at: item.colonEnd)
        walker.skipSpaceAndComments()
        let value = walker.offset..<item.end
        guard bytes[value.lowerBound] == UInt8(ascii: "{"), !bytes[value].contains(where: { $0 == 0x0A || $0 == 0x0D })
        else { return nil }
        walker.advance()
        walker.skipSpaceAndComments()
        guard walker.byte == UInt8(ascii: "\"") else { return nil }
        walker.skipString()
        var spacing = Spacing(beforeColon: isSpace(walker.offset))
        walker.skipSpaceAndComments()
        walker.advance()
        spacing.behindColon = isSpace(walker.offset)
        spacing.behindComma = spacing.behindColon
        return spacing
    }
}
