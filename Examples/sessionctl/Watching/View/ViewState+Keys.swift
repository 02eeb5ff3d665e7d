import LosslessJSON
import VisibleText

extension ViewState {
    /// What the loop does after a key.
    enum Reaction: Equatable {
        case none, quit
        /// The view was continued, and showed this number of changes.
        case showedChanges(Int)
    }

    /// Changes the state by a key.
    mutating func press(_ key: ViewKey, now: Instant) -> Reaction {
        if showsHelp {
            showsHelp = false
            return key == .character("q") ? .quit : .none
        }
        if search.isTyping {
            type(key)
            return .none
        }
        search.isUnsuccessful = false
        switch key {
        case .character("q"): return .quit
        case .character("?"), .character("h"): showsHelp = true
        case .character("p"): return .showedChanges(setPaused(!isPaused, now: now))
        case .character("/"): (search.query, search.isTyping) = ("", true)
        case .character("n"): find(isBackward: false)
        case .character("N"): find(isBackward: true)
        case .tab: focus = focus == .tree ? .changes : .tree
        default: focus == .tree ? pressInTree(key) : pressInChanges(key)
        }
        clamp()
        return .none
    }

    /// Moves in one of the lists; false for other keys.
    private static func move(_ position: inout ListPosition, _ key: ViewKey, count: Int, height: Int) -> Bool {
        switch key {
        case .up, .character("k"): position.move(by: -1)
        case .down, .character("j"): position.move(by: 1)
        case .pageUp: position.move(by: -max(1, height - 1))
        case .pageDown: position.move(by: max(1, height - 1))
        case .home, .character("g"): position.select(0)
        case .end, .character("G"): position.select(count - 1)
        default: return false
        }
        return true
    }

    private mutating func pressInTree(_ key: ViewKey) {
        if Self.move(&treePosition, key, count: rows.count, height: layout.treeHeight) { return }
        let selected = treePosition.selected
        guard let row = rows[selected..<selected + 1].first else { return }
        switch key {
        case .enter, .character(" "): if row.isFoldable { setOpen(!row.isOpen, at: row.path) }
        case .right:
            if row.isOpen { treePosition.move(by: 1) } else if row.isFoldable { setOpen(true, at: row.path) }
        case .left:
            if row.isOpen {
                setOpen(false, at: row.path)
            } else if let parent = row.path.parent, let index = rows.index(of: parent) {
                treePosition.select(index)
            }
        default: break
        }
    }

    private mutating func pressInChanges(_ key: ViewKey) {
        if Self.move(&changePosition, key, count: history.count, height: layout.changesHeight) { return }
        guard key == .enter || key == .character(" "), changePosition.selected < history.count else { return }
        let entry = history[changePosition.selected]
        // The container, if the value was removed since.
        var pointer = entry.path
        while files[entry.file].value[at: pointer] == nil, let parent = pointer.parent { pointer = parent }
        guard let path = rows.path(of: pointer, in: entry.file) else { return }
        focus = .tree
        reveal(path)
    }
}

extension ViewState {
    /// The longest text that can be searched.
    private static let longestQuery = 100

    /// Types the text of a search.
    private mutating func type(_ key: ViewKey) {
        switch key {
        case .escape: search = Search()
        case .backspace:
            if search.query.isEmpty { search.isTyping = false }
            search.query = String(search.query.unicodeScalars.dropLast())
        case .enter:
            search.isTyping = false
            find(isBackward: false)
        case .character(let scalar):
            if scalar.isVisible, search.query.unicodeScalars.count < Self.longestQuery {
                search.query.unicodeScalars.append(scalar)
            }
        default: break
        }
        clamp()
    }

    private mutating func find(isBackward: Bool) {
        if search.query.isEmpty { return }
        let found = TreeSearch.find(
            search.query, in: rows, from: selectedPath, isBackward: isBackward, hiding: request.secrets)
        search.isUnsuccessful = found == nil
        guard let found else { return }
        focus = .tree
        reveal(found)
    }
}
