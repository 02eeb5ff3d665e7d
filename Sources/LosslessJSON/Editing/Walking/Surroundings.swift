/// What is known of the layout around a value.
struct Surroundings {
    /// Whether it stands on a line of its own, with its key.
    private(set) var hasLines = true
    private(set) var spacing = Spacing()
    /// Where in the text stands what a level adds to the indentation; none makes it two spaces.
    private var unitPlace: Range<Int>?

    /// Around the value of an item of a container that stands in these surroundings.
    func inside(
        _ place: ContainerPlace, at item: ContainerPlace.Item, in text: EditedText
    ) -> Surroundings {
        var inner = self
        inner.hasLines = text.isFirstOnLine(item)
        if place.holdsMembers {
            inner.spacing.beforeColon = item.hasSpaceBeforeColon
            inner.spacing.behindColon = text.isSpace(item.colonEnd)
            inner.spacing.behindComma = inner.spacing.behindColon
        }
        if !inner.hasLines, item.start - 1 != place.open {
            inner.spacing.behindComma = text.isSpace(item.start - 1)
            if !place.holdsMembers { inner.spacing.behindColon = inner.spacing.behindComma }
        }
        guard inner.hasLines else { return inner }
        let outer = text.indentation(aroundBracket: place.open)
        let indentation = text.indentation(around: item.start)
        if indentation.count > outer.count, text.bytes[indentation].starts(with: text.bytes[outer]) {
            inner.unitPlace = indentation.lowerBound + outer.count..<indentation.upperBound
        }
        return inner
    }

    /// What a level adds to the indentation.
    func unit(in text: EditedText) -> [UInt8] { unitPlace.map { text[$0] } ?? [0x20, 0x20] }

    /// A value that begins at `start`.
    func print(_ value: JSON, at start: Int, in text: EditedText) -> [UInt8] {
        var style = PrintStyle(lines: nil, spacing: spacing)
        if hasLines && value.isContainer {
            style.lines = PrintStyle.Lines(
                newline: text.newline, indentation: text.itemIndentation(around: start), unit: unit(in: text),
                column: start - text.lineStart(before: start))
        }
        return Print.of(value, in: style)
    }
}
