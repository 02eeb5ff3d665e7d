import SessionMirror
import VisibleText

extension ViewState.File {
    /// Whether the file cannot be used, or does not exist.
    var hasProblem: Bool { status.map { $0.content != .good } ?? false }
}

extension ViewState {
    /// The status of a file: `version 3 · live`.
    func statusText(of index: Int) -> String {
        let file = files[index]
        var parts = ["version \(file.version.number.grouped)"]
        guard let status = file.status else { return parts[0] }
        switch status.content {
        case .good: break
        case .missing: parts.append("missing")
        case .invalid: parts.append("invalid")
        }
        switch status.watching {
        case .live: parts.append("live")
        case .polling(let reason): parts.append("polling: \(reason)".measurable)
        case .notWatching: parts.append("not watching")
        }
        if !status.warnings.isEmpty {
            parts.append(status.warnings.count == 1 ? "1 warning" : "\(status.warnings.count) warnings")
        }
        return parts.joined(separator: " · ")
    }

    /// The status of all files: `3 files, 1 invalid`.
    private var summary: String {
        if files.count == 1 { return statusText(of: 0) }
        var parts = ["\(files.count) files"]
        let contents = files.compactMap(\.status?.content)
        let (missing, bad) = (contents.count { $0 == .missing }, contents.count { $0.isInvalid })
        if missing > 0 { parts.append("\(missing) missing") }
        if bad > 0 { parts.append("\(bad) invalid") }
        return parts.joined(separator: ", ")
    }

    /// The first line: the name on the left, the status on the right.
    func headerLine(_ layout: ViewLayout) -> StyledLine {
        let state = isPaused ? isBehind ? "paused, not up to date · " : "paused · " : ""
        let right = (state + summary).shortened(to: max(0, layout.columns - 2))
        let title = files.count == 1 ? files[0].title.measurable : "sessionctl watch"
        let space = layout.columns - right.columns - 3
        let left = space >= 4 ? title.fitted(to: space) + " " : String(repeating: " ", count: max(0, space + 1))
        return StyledLine(" \(left)\(right) ").fitted(to: layout.columns).reversed(isBold: true)
    }

    /// The last line: the text of a search, a message, or the most important keys.
    func keyLine(_ layout: ViewLayout) -> StyledLine {
        if search.isTyping {
            // The end of a long text is what is being typed.
            let text = search.query.measurable
            let hidden = max(0, text.columns + 3 - layout.columns)
            return StyledLine("/" + text.dropping(columns: hidden)).appending("_", Style(isReversed: true))
        }
        if search.isUnsuccessful { return StyledLine(" not found: \(search.query.measurable)", .bold) }
        var keys = [
            ("q", "quit"), ("↑↓", "select"), ("←→", "close, open"), ("/", "search"),
            ("Tab", focus == .tree ? "changes" : "tree"), ("p", isPaused ? "continue" : "pause"), ("?", "help"),
        ]
        if focus == .changes { keys[2] = ("Enter", "show value") }
        if !search.query.isEmpty { keys[3] = ("/ n N", "search") }
        var line = StyledLine()
        for (key, text) in keys where line.columns + key.columns + text.columns + 3 <= layout.columns {
            line.append(" \(key)", .bold)
            line.append(" \(text) ")
        }
        return line
    }
}

extension MirrorStatus.Content {
    fileprivate var isInvalid: Bool { if case .invalid = self { true } else { false } }
}

extension StyledLine {
    fileprivate func appending(_ text: String, _ style: Style) -> StyledLine {
        var line = self
        line.append(text, style)
        return line
    }
}
