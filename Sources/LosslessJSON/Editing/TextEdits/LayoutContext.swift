/// The layout around a value, collected on the way down to it.
struct LayoutContext {
    /// Whether the value, with its key, is on its own line.
    private(set) var isOnOwnLine = true
    private(set) var spacing = Spacing()
    /// The range of the text that shows the additional indentation of a level; nil means two spaces.
    private var indentUnitRange: Range<Int>?

    /// The context of the value of `item`, an item of a container in this context.
    func entering(
        _ item: ContainerRange.Item, of container: ContainerRange, in text: TextLayout
    ) -> LayoutContext {
        var inner = self
        inner.isOnOwnLine = text.isFirstOnLine(item)
        if container.isObject {
            inner.spacing.beforeColon = item.hasSpaceBeforeColon
            inner.spacing.afterColon = text.isSpace(item.colonEnd)
            inner.spacing.afterComma = inner.spacing.afterColon
        }
        if !inner.isOnOwnLine, item.start - 1 != container.openBracket {
            inner.spacing.afterComma = text.isSpace(item.start - 1)
            if !container.isObject { inner.spacing.afterColon = inner.spacing.afterComma }
        }
        guard inner.isOnOwnLine else { return inner }
        let outer = text.indentation(aroundBracket: container.openBracket)
        let indentation = text.indentation(around: item.start)
        if indentation.count > outer.count, text.bytes[indentation].starts(with: text.bytes[outer]) {
            inner.indentUnitRange = indentation.lowerBound + outer.count..<indentation.upperBound
        }
        return inner
    }

    /// The additional indentation of each level.
    func indentUnit(in text: TextLayout) -> [UInt8] { indentUnitRange.map { text.space($0) } ?? [0x20, 0x20] }

    /// The text of a value that starts at `start`, or a prefix longer than `limit` if it exceeds that.
    func print(_ value: JSON, at start: Int, in text: TextLayout, stoppingAfter limit: Int) -> [UInt8] {
        var style = PrintStyle(lines: nil, spacing: spacing)
        if isOnOwnLine && value.isContainer {
            style.lines = PrintStyle.Lines(
                newline: text.newline, indentation: text.itemIndentation(around: start),
                indentUnit: indentUnit(in: text), column: start - text.lineStart(before: start))
        }
        return PrinterState.print(value, in: style, stoppingAfter: limit)
    }
}
