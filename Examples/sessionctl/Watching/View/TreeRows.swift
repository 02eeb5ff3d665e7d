import LosslessJSON

/// The rows of the tree: the files, and the values in containers that are open.
///
/// Finds any range of rows without building those before it. That costs about what the open containers around it have
/// as members, since objects can only be walked in order.
struct TreeRows {
    /// The top of a tree: the value of a file, or the value at a path that the view is limited to.
    struct Branch: Equatable {
        let file: Int
        let base: JSONPointer
        /// Whether it is only the name of a file, above the branches of its paths.
        var isHeading = false
        var level = 0
        var value: JSON?
        var folds = FoldState()
        fileprivate(set) var rowCount = 1

        static func == (a: Branch, b: Branch) -> Bool { a.file == b.file && a.base == b.base }
    }

    private(set) var branches: [Branch] = []
    private(set) var count = 0

    /// The number of rows up to which containers are open at first.
    static let initialRows = 100

    /// Adds a file without values.
    ///
    /// - Parameter paths: What the view is limited to; empty for everything.
    mutating func addFile(paths: [JSONPointer] = []) {
        let file = (branches.last?.file ?? -1) + 1
        branches.append(Branch(file: file, base: JSONPointer(), isHeading: !paths.isEmpty))
        branches += paths.map { Branch(file: file, base: $0, level: 1) }
        countRows()
    }

    /// Shows another version of a file. Opens its containers when it has a value for the first time.
    mutating func show(_ root: JSON, of file: Int) {
        for index in branches.indices where branches[index].file == file && !branches[index].isHeading {
            let value = root[at: branches[index].base]
            let hadNothing = branches[index].folds == FoldState()
            branches[index].value = value
            if hadNothing, let value, value.childCount > 0 { branches[index].folds.open(value, upTo: Self.initialRows) }
        }
        countRows()
    }

    mutating func setOpen(_ isOpen: Bool, at path: RowPath) {
        branches[path.branch].folds.set(path.tokens[...], isOpen: isOpen)
        countRows()
    }

    /// Opens the containers around a value.
    mutating func reveal(_ path: RowPath) {
        branches[path.branch].folds.reveal(path.tokens[...])
        countRows()
    }

    private mutating func countRows() {
        for index in branches.indices {
            branches[index].rowCount = branches[index].folds.rowCount(of: branches[index].value)
        }
        count = branches.reduce(0) { $0 + $1.rowCount }
    }

    /// The rows with these numbers, which are clamped.
    subscript(range: Range<Int>) -> [TreeRow] {
        var walk = RowWalk(range: range.clamped(to: 0..<count))
        for index in branches.indices { walk.visit(branches[index], index) }
        return walk.rows
    }

    /// The number of a row; nil if there is no value, or a container around it is closed.
    func index(of path: RowPath) -> Int? {
        guard branches.indices.contains(path.branch) else { return nil }
        var position = branches[..<path.branch].reduce(0) { $0 + $1.rowCount }
        var (value, folds) = (branches[path.branch].value, Optional(branches[path.branch].folds))
        for token in path.tokens {
            guard let container = value, let open = folds, open.isOpen,
                let before = container.rowCount(before: token, open)
            else { return nil }
            position += 1 + before
            (value, folds) = (container.child(token), open[token])
        }
        return position
    }

    /// The path of a value of a file; nil if the view does not show it.
    func path(of pointer: JSONPointer, in file: Int) -> RowPath? {
        for (index, branch) in branches.enumerated() where branch.file == file && !branch.isHeading {
            let base = branch.base.tokens
            if pointer.tokens.starts(with: base) {
                return RowPath(branch: index, tokens: Array(pointer.tokens.dropFirst(base.count)))
            }
        }
        return nil
    }
}

/// Where a row is: a branch of the tree, and the keys from its top.
struct RowPath: Hashable {
    var branch: Int
    var tokens: [String]

    /// The path of the enclosing container; nil at the top of a branch.
    var parent: RowPath? { tokens.isEmpty ? nil : RowPath(branch: branch, tokens: tokens.dropLast()) }
}

/// A row of the tree.
struct TreeRow {
    let path: RowPath
    let level: Int
    /// nil if there is none at a path that the view is limited to.
    let value: JSON?
    let isOpen: Bool

    var isFoldable: Bool { (value?.childCount ?? 0) > 0 }
}

extension JSON {
    /// The number of rows between a container's own and that of one of its members; nil without such a member.
    fileprivate func rowCount(before token: String, _ folds: FoldState) -> Int? {
        switch self {
        case .object(let object):
            var count = 0
            for (key, value) in object {
                if MemberKey(key) == MemberKey(token) { return count }
                count += folds[key]?.rowCount(of: value) ?? 1
            }
            return nil
        case .array(let array):
            guard let index = array.index(ofToken: token) else { return nil }
            return folds.openIndices(in: array).prefix { $0.index < index }.reduce(index) {
                $0 + $1.state.rowCount(of: array[$1.index]) - 1
            }
        default: return nil
        }
    }
}
