/// The division of the screen: a header, the tree, the last changes beside or below it, problems, and the keys.
///
/// Small screens get fewer of these, the smallest only the tree.
struct ViewLayout: Equatable {
    struct Size: Equatable {
        var columns: Int
        var rows: Int
    }

    /// Which of the two lists has the keys.
    enum Focus {
        case tree, changes
    }

    let columns: Int
    /// The width of the tree; the changes beside it have the rest after a line.
    private(set) var treeColumns: Int
    private(set) var changeColumns: Int
    private(set) var treeHeight = 0
    private(set) var changesTitleHeight = 0
    /// Without their title.
    private(set) var changesHeight = 0
    private(set) var problemHeight = 0
    private(set) var hasHeader = false
    private(set) var hasKeys = false
    private(set) var isSideBySide = false

    /// The smallest screen with changes beside the tree, and below it.
    private static let columnsForTwo = 120
    private static let rowsForTwo = 12

    init(_ size: Size, problemLines: Int, focus: Focus) {
        columns = size.columns
        (treeColumns, changeColumns) = (columns, columns)
        hasHeader = size.rows >= 3
        hasKeys = size.rows >= 4
        var body = size.rows - (hasHeader ? 1 : 0) - (hasKeys ? 1 : 0)
        problemHeight = min(problemLines, body / 2)
        body -= problemHeight
        if columns >= Self.columnsForTwo, body >= 4 {
            isSideBySide = true
            changeColumns = columns * 2 / 5
            treeColumns = columns - changeColumns - 1
            (treeHeight, changesTitleHeight, changesHeight) = (body, 1, body - 1)
        } else if size.rows >= Self.rowsForTwo, body >= 8 {
            (changesTitleHeight, changesHeight) = (1, max(3, body / 4))
            treeHeight = body - changesHeight - 1
        } else if focus == .tree {
            treeHeight = body
        } else {
            changesTitleHeight = body > 1 ? 1 : 0
            changesHeight = body - changesTitleHeight
        }
    }

    var showsChanges: Bool { changesHeight > 0 }
}
