/// The selected row of a list, and the part of the list that is visible.
struct ListPosition: Equatable {
    private(set) var selected = 0
    private(set) var top = 0

    mutating func select(_ index: Int) { selected = index }

    mutating func move(by distance: Int) { selected += distance }

    /// Selects a row, and scrolls so that it stays at the same place of the screen.
    mutating func follow(_ index: Int) {
        top += index - selected
        selected = index
    }

    /// Moves into the list, and scrolls so that the selected row is visible and the list fills the screen.
    mutating func clamp(count: Int, height: Int) {
        selected = max(0, min(selected, count - 1))
        top = max(0, min(top, selected, count - height))
        if height > 0 { top = max(top, selected - height + 1) }
    }

    /// The visible rows.
    func range(count: Int, height: Int) -> Range<Int> {
        let start = min(top, count)
        return start..<min(count, start + max(0, height))
    }
}
