extension ViewState {
    /// The whole screen at a point in time.
    func frame(now: Instant) -> Frame {
        let layout = layout
        var frame = Frame()
        if layout.hasHeader { frame.lines.append(headerLine(layout)) }
        if showsHelp {
            let height = size.rows - (layout.hasHeader ? 1 : 0) - (layout.hasKeys ? 1 : 0)
            frame.lines += Self.padded(helpLines(layout), to: height)
        } else {
            frame.lines += body(layout, now: now, expiry: &frame.expiry)
            frame.lines += Self.padded(problemLines, to: layout.problemHeight)
        }
        if layout.hasKeys { frame.lines.append(keyLine(layout)) }
        frame.lines = frame.lines.prefix(size.rows).map { $0.fitted(to: size.columns) }
        return frame
    }

    private func body(_ layout: ViewLayout, now: Instant, expiry: inout Instant?) -> [StyledLine] {
        let tree = Self.padded(treeLines(layout, now: now, expiry: &expiry), to: layout.treeHeight)
        if !layout.showsChanges { return tree }
        let changes = Self.padded(changeLines(layout), to: layout.changesTitleHeight + layout.changesHeight)
        if !layout.isSideBySide { return tree + changes }
        return zip(tree, changes).map { left, right in
            var line = left.fitted(to: layout.treeColumns)
            line.append("│", .dim)
            line.spans += right.spans
            return line
        }
    }

    private func helpLines(_ layout: ViewLayout) -> [StyledLine] {
        let width = ViewKey.help.map(\.0.columns).max() ?? 0
        return ViewKey.help.map { keys, text in
            var line = StyledLine(" \(keys.fitted(to: width))  ", .bold)
            line.append(text)
            return line
        }
    }

    /// Exactly `height` lines; of more, the first.
    private static func padded(_ lines: [StyledLine], to height: Int) -> [StyledLine] {
        lines.prefix(height) + Array(repeating: StyledLine(), count: max(0, height - lines.count))
    }
}
