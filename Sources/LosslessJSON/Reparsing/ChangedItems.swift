/// The smallest run of neighboring items of one container that contains a difference: elements or members, with all
/// that stands between them.
struct ChangedItems {
    /// The positions that lead from the root to the container.
    let path: [Int]
    /// The positions of the items in the container.
    let positions: Range<Int>
    /// The bytes between the bracket or comma before the items and the comma or bracket after them.
    let bytes: Range<Int>
    /// Whether a comma comes after them.
    let hasSuccessor: Bool

    /// Whether a comma comes before them.
    var hasPredecessor: Bool { positions.lowerBound > 0 }

    /// Finds the items of a valid text, by a walk that has advanced to the start of `difference`; nil if no container
    /// contains all of that.
    init?(containing difference: Range<Int>, from start: ItemWalk, in text: UnsafeBufferPointer<UInt8>) {
        var walk = start
        guard let last = walk.advanceToSeparator(from: difference.upperBound) else { return nil }
        let first = walk.containers.last!
        path = walk.containers.dropLast().map(\.item)
        bytes = first.start..<walk.cursor.offset
        hasSuccessor = walk.cursor.byte == UInt8(ascii: ",")
        // After a trailing comma, and in an empty container, there is no item.
        var content = TextCursor(text, at: last.start)
        content.skipSpaceAndComments()
        positions = first.item..<last.item + (content.offset < bytes.upperBound ? 1 : 0)
    }
}
