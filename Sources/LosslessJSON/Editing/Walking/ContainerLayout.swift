/// How the items of a container are laid out, for new ones to follow.
struct ContainerLayout {
    /// Whether each item stands on its own line.
    var hasLines: Bool
    /// What stands before an item on its line.
    var indentation: [UInt8]
    /// What stands before the line on which the container begins.
    var outerIndentation: [UInt8]
    /// What a level adds.
    var unit: [UInt8]
    var newline: [UInt8]
    /// Whether a space stands behind colons.
    var isSpaced: Bool
    /// Whether a space stands behind commas on one line.
    var hasSpaceBehindCommas: Bool
    /// Whether a space stands before colons.
    var hasSpaceBeforeColon = false
    /// Where commas begin the lines: what stands before and behind them.
    var leadingComma: (before: [UInt8], behind: [UInt8])?
    /// Whether a comma stands behind the last item.
    var hasTrailingComma = false
}

extension ContainerLayout {
    /// The layout of a container that stands in some surroundings.
    init(of place: ContainerPlace, _ surroundings: Surroundings, in text: EditedText) {
        outerIndentation = text[text.indentation(aroundBracket: place.open)]
        newline = text.newline
        guard let last = place.items.last else {
            hasLines = surroundings.hasLines
            (unit, isSpaced) = (surroundings.unit(in: text), surroundings.isSpaced)
            hasSpaceBehindCommas = surroundings.hasSpaceBehindCommas
            indentation = outerIndentation + unit
            return
        }
        let inner = surroundings.inside(place, at: last, in: text)
        (hasLines, unit, isSpaced) = (inner.hasLines, inner.unit(in: text), inner.isSpaced)
        hasSpaceBehindCommas = inner.hasSpaceBehindCommas
        indentation = hasLines ? text[text.indentation(around: last.start)] : outerIndentation + unit
        let before = place.gap(place.items.count - 1, in: text.bytes).pieces
        if let comma = before.lastIndex(where: \.isComma) {
            takeLeadingComma(before, comma, in: text)
        }
        hasTrailingComma = place.gap(place.items.count, in: text.bytes).pieces.contains(where: \.isComma)
        if place.holdsMembers { takeColon(of: last, in: text) }
    }

    private mutating func takeLeadingComma(_ pieces: [Piece], _ comma: Int, in text: EditedText) {
        guard pieces[..<comma].contains(where: \.isNewline), !pieces[comma...].contains(where: \.isNewline) else {
            return
        }
        let isIndented = pieces[comma - 1].isSpace
        let space = pieces[(comma + 1)...].first.flatMap { $0.isSpace ? text[$0.range] : nil } ?? []
        let indentation = isIndented ? text[pieces[comma - 1].range] : []
        leadingComma = (indentation, space)
        self.indentation = indentation + Array(repeating: 0x20, count: space.count + 1)
        hasLines = true
    }

    private mutating func takeColon(of item: ContainerPlace.Item, in text: EditedText) {
        var walker = TextWalker(text.bytes, at: item.start)
        walker.skipString()
        let keyEnd = walker.offset
        walker.skipSpaceAndComments()
        hasSpaceBeforeColon = walker.offset == keyEnd + 1
    }
}
