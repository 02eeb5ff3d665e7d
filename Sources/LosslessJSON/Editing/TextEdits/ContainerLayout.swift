/// The offsets of a container and its items in a text.
struct ContainerRange {
    /// The offsets of a member, starting with its key, or of an element.
    struct Item {
        let start: Int
        /// The offset after the previous item or the opening bracket.
        let triviaStart: Int
        /// The offset after the colon of a member; the start of an element.
        let colonEnd: Int
        var hasSpaceBeforeColon = false
        var end = 0
        var isRemoved = false
    }

    /// The offset of the opening bracket.
    let openBracket: Int
    /// Whether the container is an object.
    let isObject: Bool
    /// The offset of the closing bracket.
    var closeBracket = 0
    /// Others may be missing before each, except for those that an edit has to find: they have their neighbors.
    var items: [Item] = []

    init(openBracket: Int, isObject: Bool) { (self.openBracket, self.isObject) = (openBracket, isObject) }

    /// The trivia before the item at `index`; for the number of items, the trivia after the last one.
    func trivia(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Trivia {
        let start = index == 0 ? openBracket + 1 : items[index - 1].end
        let end = index == items.count ? closeBracket : items[index].start
        return Trivia(start..<end, in: bytes, hasItemBefore: index > 0, hasItemAfter: index < items.count)
    }
}

/// The layout of a container's items, which new items follow.
struct ContainerLayout {
    /// Whether each item is on its own line.
    var isMultiline: Bool
    /// The white space before an item on its line.
    var indentation: [UInt8]
    /// The indentation of the line on which the container starts.
    let outerIndentation: [UInt8]
    /// The additional indentation of each level.
    let indentUnit: [UInt8]
    let newline: [UInt8]
    let spacing: Spacing
    /// The white space before and after a comma, if commas start the lines.
    private(set) var leadingComma: (before: [UInt8], after: [UInt8])?
    /// Whether the last item is followed by a comma.
    private(set) var hasTrailingComma = false
    /// The maximum length of an item's text.
    let limit: Int
    /// The spacing inside the objects among the items, if those are written on single lines.
    private(set) var singleLineObjectSpacing: Spacing?

    /// Determines the layout of a container in a context.
    init(of container: ContainerRange, _ context: LayoutContext, in text: TextLayout, limit: Int) {
        self.limit = limit
        outerIndentation = text.space(text.indentation(aroundBracket: container.openBracket))
        newline = text.newline
        let last = container.items.last
        let itemContext = last.map { context.entering($0, of: container, in: text) } ?? context
        isMultiline = itemContext.isOnOwnLine
        indentUnit = itemContext.indentUnit(in: text)
        spacing = itemContext.spacing
        indentation = outerIndentation + indentUnit
        guard let last else { return }
        if isMultiline { indentation = text.itemIndentation(around: last.start) }
        detectLeadingComma(container.trivia(container.items.count - 1, in: text.bytes).tokens, in: text)
        hasTrailingComma = container.trivia(container.items.count, in: text.bytes).tokens.contains(where: \.isComma)
        singleLineObjectSpacing = text.singleLineObjectSpacing(of: last)
    }

    private mutating func detectLeadingComma(_ tokens: [Token], in text: TextLayout) {
        guard let comma = tokens.lastIndex(where: \.isComma), tokens[..<comma].contains(where: \.isNewline),
            !tokens[comma...].contains(where: \.isNewline)
        else { return }
        let space = tokens[(comma + 1)...].first.flatMap { $0.isSpace ? text.space($0.range) : nil } ?? []
        leadingComma = (tokens[comma - 1].isSpace ? text.space(tokens[comma - 1].range) : [], space)
    }
}

extension TextLayout {
    /// The spacing inside an item's value, if that is a single-line object.
    fileprivate func singleLineObjectSpacing(of item: ContainerRange.Item) -> Spacing? {
        var cursor = TextCursor(bytes, at: item.colonEnd)
        cursor.skipSpaceAndComments()
        let value = cursor.offset..<item.end
        guard bytes[value.lowerBound] == UInt8(ascii: "{"), !bytes[value].contains(where: { $0 == 0x0A || $0 == 0x0D })
        else { return nil }
        cursor.advance()
        cursor.skipSpaceAndComments()
        guard cursor.byte == UInt8(ascii: "\"") else { return nil }
        cursor.skipString()
        var spacing = Spacing(beforeColon: isSpace(cursor.offset))
        cursor.skipSpaceAndComments()
        cursor.advance()
        spacing.afterColon = isSpace(cursor.offset)
        spacing.afterComma = spacing.afterColon
        return spacing
    }
}
