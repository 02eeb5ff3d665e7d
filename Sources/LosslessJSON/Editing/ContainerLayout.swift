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
    /// Whether a space stands behind colons, and behind commas on one line.
    var isSpaced: Bool
    /// Whether a space stands before colons.
    var hasSpaceBeforeColon = false
    /// Where commas begin the lines: what stands before and behind them.
    var leadingComma: (before: [UInt8], behind: [UInt8])?
    /// Whether a comma stands behind the last item.
    var hasTrailingComma = false
}

/// A member or an element that a container did not have.
struct NewItem {
    /// None for an element.
    let key: Text?
    let value: JSON

    func bytes(hasLines: Bool, _ layout: ContainerLayout) -> [UInt8] {
        var bytes = key.map { Print.of($0) } ?? []
        if key != nil {
            if layout.hasSpaceBeforeColon { bytes.append(0x20) }
            bytes.append(UInt8(ascii: ":"))
            if layout.isSpaced { bytes.append(0x20) }
        }
        var style = PrintStyle(lines: nil, isSpaced: layout.isSpaced)
        if hasLines {
            style.lines = PrintStyle.Lines(
                newline: layout.newline, indentation: layout.indentation, unit: layout.unit,
                column: layout.indentation.count + bytes.count)
            style.isSpaced = true
        }
        return bytes + Print.of(value, in: style)
    }
}
