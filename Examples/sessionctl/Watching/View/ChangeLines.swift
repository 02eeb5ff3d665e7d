import LosslessJSON
import SessionMirror
import VisibleText

/// The last changes as lines, the newest first: time, origin, path, old and new value.
extension ViewState {
    /// The title and the visible changes, in as many lines as there is room.
    func changeLines(_ layout: ViewLayout) -> [StyledLine] {
        let width = layout.changeColumns
        let range = changePosition.range(count: history.count, height: layout.changesHeight)
        let lines = range.map { index in
            let line = line(for: history[index], width: width)
            return focus == .changes && index == changePosition.selected ? line.reversed() : line
        }
        return (layout.changesTitleHeight > 0 ? [titleLine(width)] : []) + lines
    }

    private func titleLine(_ width: Int) -> StyledLine {
        let count = history.total == 0 ? "No changes yet" : "\(history.total.grouped) changes, the last first"
        let style = Style(isBold: focus == .changes, isDim: focus == .tree)
        let title = "── \(history.total == 1 ? "1 change" : count) "
        let rule = String(repeating: "─", count: max(0, width - title.columns))
        return StyledLine((title + rule).shortened(to: width), style)
    }

    private func line(for entry: ChangeHistory.Entry, width: Int) -> StyledLine {
        let style = Style(entry.change)
        var line = StyledLine("\(entry.change.mark) ", style)
        if width >= 40 { line.append("\(entry.time.clock)  ", .dim) }
        if width >= 76 { line.append("\(entry.origin.rawValue)".fitted(to: 8) + "  ", .dim) }
        let rest = width - line.columns
        let title = files.count > 1 ? "\(files[entry.file].title): \(entry.path.title)" : entry.path.title
        let pathColumns = max(1, min(rest * 2 / 5, 40))
        line.append(title.measurable.fitted(to: pathColumns), style)
        line.append("  ")
        line.append(values(of: entry, width: rest - pathColumns - 2), style)
        return line.fitted(to: width)
    }

    /// Both values get the same space, or one what the other leaves.
    private func values(of entry: ChangeHistory.Entry, width: Int) -> String {
        let (old, new) = (entry.old.measurable, entry.new.measurable)
        let space = width - 3
        let limit = max(space / 2, space - min(old.columns, new.columns), 1)
        return "\(old.shortened(to: limit)) → \(new.shortened(to: limit))"
    }
}
