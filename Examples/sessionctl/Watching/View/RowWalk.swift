import LosslessJSON

/// Collects the rows of a tree with certain numbers.
///
/// Skips what precedes them without building rows: elements of arrays by their number, members of objects one by one.
struct RowWalk {
    let range: Range<Int>
    private(set) var rows: [TreeRow] = []
    /// The number of the next row.
    private var next = 0
    private var path = RowPath(branch: 0, tokens: [])

    init(range: Range<Int>) { self.range = range }

    private var isFinished: Bool { next >= range.upperBound }

    mutating func visit(_ branch: TreeRows.Branch, _ index: Int) {
        path = RowPath(branch: index, tokens: [])
        visit(branch.value, branch.folds, branch.rowCount, level: branch.level)
    }

    /// - Parameter rowCount: Of the value, if it is known.
    private mutating func visit(_ value: JSON?, _ folds: FoldState?, _ rowCount: Int?, level: Int) {
        if isFinished { return }
        let rowCount = rowCount ?? folds?.rowCount(of: value) ?? 1
        if next + rowCount <= range.lowerBound {
            next += rowCount
            return
        }
        let isOpen = rowCount > 1
        if next >= range.lowerBound { rows.append(TreeRow(path: path, level: level, value: value, isOpen: isOpen)) }
        next += 1
        guard isOpen, let folds else { return }
        switch value {
        case .object(let object)?: visit(object, folds, level: level + 1)
        case .array(let array)?: visit(array, folds, level: level + 1)
        default: break
        }
    }

    private mutating func visit(_ object: JSONObject, _ folds: FoldState, level: Int) {
        var index = object.startIndex
        if folds.children.isEmpty {
            let skipped = min(max(0, range.lowerBound - next), object.count)
            index = object.index(index, offsetBy: skipped)
            next += skipped
        }
        while index < object.endIndex, !isFinished {
            let (key, value) = object[index]
            visit(value, folds[key], at: key, level: level)
            index = object.index(after: index)
        }
    }

    private mutating func visit(_ array: JSONArray, _ folds: FoldState, level: Int) {
        var index = 0
        for open in folds.openIndices(in: array) {
            visitClosed(array, &index, until: open.index, level: level)
            visit(array[index], open.state, at: String(index), level: level)
            index += 1
            if isFinished { return }
        }
        visitClosed(array, &index, until: array.count, level: level)
    }

    /// Visits elements of one row each.
    private mutating func visitClosed(_ array: JSONArray, _ index: inout Int, until end: Int, level: Int) {
        let skipped = min(max(0, range.lowerBound - next), end - index)
        (index, next) = (index + skipped, next + skipped)
        while index < end, !isFinished {
            visit(array[index], nil, at: String(index), level: level)
            index += 1
        }
        index = end
    }

    private mutating func visit(_ value: JSON, _ folds: FoldState?, at key: String, level: Int) {
        path.tokens.append(key)
        defer { path.tokens.removeLast() }
        visit(value, folds, nil, level: level)
    }
}
