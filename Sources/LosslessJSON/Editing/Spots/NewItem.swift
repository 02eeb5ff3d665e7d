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
