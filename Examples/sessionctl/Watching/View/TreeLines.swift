import LosslessJSON
import SessionMirror
import VisibleText

/// The rows of the tree as lines: a mark of a recent change, the key, and the value in a column.
extension ViewState {
    /// - Parameter expiry: Becomes the time at which the first highlight ends, if that is earlier.
    func treeLines(_ layout: ViewLayout, now: Instant, expiry: inout Instant?) -> [StyledLine] {
        visibleRows.map { row in
            let line = line(for: row, width: layout.treeColumns, now: now, expiry: &expiry)
            if row.path != selectedPath { return line }
            return focus == .tree ? line.reversed() : line.underlined()
        }
    }

    private func line(for row: TreeRow, width: Int, now: Instant, expiry: inout Instant?) -> StyledLine {
        let branch = rows.branches[row.path.branch]
        let file = files[branch.file]
        let pointer = JSONPointer(branch.base.tokens + row.path.tokens)
        let found =
            branch.isHeading
            ? Highlights.Found() : file.highlights.found(at: pointer.tokens, row.value, now: now)
        if let end = found.end { expiry = min(expiry ?? end, end) }
        let kind = found.kind ?? (found.isChangedBelow && !row.isOpen ? .changed : nil)

        let keyColumns = Self.keyColumns(in: width)
        let indentation = min(2 * row.level, max(0, keyColumns - 8))
        let fold = row.isFoldable && !branch.isHeading && !isSecret(pointer) ? row.isOpen ? "▾ " : "▸ " : "  "
        var style = kind.map(Style.init) ?? .plain
        var line = StyledLine(kind?.mark ?? " ", style)
        let isTop = row.path.tokens.isEmpty
        if isTop { style.isBold = true }
        let beginning = String(repeating: " ", count: indentation) + fold
        let key = title(of: row, branch)
        line.append((beginning + key).fitted(to: keyColumns), style)
        line.append("  ")
        line.append(text(of: row, branch, pointer, upTo: width), valueStyle(of: row, branch, style))
        for key in found.removed { line.append("  - \(shown(key))", Style(.removed)) }
        return line.fitted(to: width)
    }

    /// The columns of the indented key.
    private static func keyColumns(in width: Int) -> Int { max(1, min(width * 2 / 5, 44)) }

    private func title(of row: TreeRow, _ branch: TreeRows.Branch) -> String {
        if let key = row.path.tokens.last { return shown(key) }
        return branch.base.isRoot ? files[branch.file].title.measurable : branch.base.title.measurable
    }

    private func shown(_ key: String) -> String { key.isEmpty ? "\"\"" : key.visible(upTo: 200).measurable }

    private func isSecret(_ pointer: JSONPointer) -> Bool {
        !request.secrets.isEmpty && request.secrets.contains(pointer)
    }

    private func text(of row: TreeRow, _ branch: TreeRows.Branch, _ pointer: JSONPointer, upTo limit: Int) -> String {
        let isFile = row.path.tokens.isEmpty && row.level == 0
        var parts: [String] = []
        if isFile, files.count > 1 {
            parts.append(statusText(of: branch.file))
        } else if isFile, files[branch.file].status?.content == .missing {
            // One file has the rest of its status in the header.
            parts.append("no such file; waiting for it")
        }
        // An empty value of a file that cannot be used only stands for one.
        let isPlaceholder = isFile && files[branch.file].hasProblem && !row.isFoldable
        if !branch.isHeading, !isPlaceholder {
            let value = row.value.map { text(of: $0, isOpen: row.isOpen || isFile, pointer, upTo: limit) }
            parts.append(value ?? "(none)")
        }
        return parts.joined(separator: " · ")
    }

    private func text(of value: JSON, isOpen: Bool, _ pointer: JSONPointer, upTo limit: Int) -> String {
        let secrets = request.secrets
        guard value.childCount > 0, !isSecret(pointer) else {
            return secrets.redacting(value, at: pointer).text(upTo: limit).measurable
        }
        // Redacting a large container would take long, and an open one shows its members below.
        return isOpen || !secrets.isEmpty ? value.countText : value.text(upTo: limit).measurable
    }

    private func valueStyle(of row: TreeRow, _ branch: TreeRows.Branch, _ style: Style) -> Style {
        var style = style
        style.isBold = style.color != nil
        if row.path.tokens.isEmpty, row.level == 0, files[branch.file].hasProblem {
            return Style(color: .red, isBold: true)
        }
        if style == .plain, row.isFoldable { style.isDim = true }
        return style
    }
}

extension JSON {
    /// The number of members or elements.
    var countText: String {
        switch self {
        case .object(let object): object.count == 1 ? "1 member" : "\(object.count.grouped) members"
        case .array(let array): array.count == 1 ? "1 element" : "\(array.count.grouped) elements"
        default: ""
        }
    }
}

extension Int {
    /// With commas: `10,000`.
    var grouped: String {
        var digits = Array(String(self))
        var place = digits.count - 3
        while place > (self < 0 ? 1 : 0) {
            digits.insert(",", at: place)
            place -= 3
        }
        return String(digits)
    }
}

extension JSONChange.Kind {
    /// As in the output of `diff`.
    var mark: String {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
    }
}

extension Style {
    /// The colors of `diff`, and bold, which also shows on a terminal without colors.
    init(_ kind: JSONChange.Kind) {
        switch kind {
        case .added: self.init(color: .green, isBold: true)
        case .removed: self.init(color: .red, isBold: true)
        case .changed: self.init(color: .yellow, isBold: true)
        }
    }
}
