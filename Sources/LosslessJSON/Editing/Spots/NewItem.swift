/// A member or an element that a container did not have.
struct NewItem {
    /// None for an element.
    let key: Text?
    let value: JSON

    func bytes(hasLines: Bool, _ layout: ContainerLayout) -> [UInt8] {
        let key = key.map { Print.of(key: $0, layout.spacing) } ?? []
        var style = PrintStyle(lines: nil, spacing: layout.spacing)
        guard hasLines else { return key + Print.of(value, in: style) }
        let column = layout.indentation.count + key.count
        // An object beside others that stand on one line each does so too, if there is room.
        if let spacing = layout.objectSpacing, case .object = value {
            let line = Print.of(value, in: PrintStyle(lines: nil, spacing: spacing))
            if column + line.count < style.lineWidth { return key + line }
        }
        style.lines = PrintStyle.Lines(
            newline: layout.newline, indentation: layout.indentation, unit: layout.unit, column: column)
        return key + Print.of(value, in: style)
    }
}
