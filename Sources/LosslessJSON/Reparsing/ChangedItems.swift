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

    /// Finds the items of a valid text; nil if no container contains all of `difference`.
    init?(containing difference: Range<Int>, in text: UnsafeBufferPointer<UInt8>) {
        var walk = ItemWalk(text)
        walk.advance(to: difference.lowerBound)
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

/// A walk over the containers of a valid text that counts their items.
private struct ItemWalk {
    /// The place of the walk in a container whose end it has not reached.
    struct OpenContainer {
        /// The position of the current item.
        var item = 0
        /// The offset after the bracket or comma before it.
        var start: Int
    }

    var cursor: TextCursor
    var containers: [OpenContainer] = []

    init(_ text: UnsafeBufferPointer<UInt8>) { cursor = TextCursor(text) }

    /// Moves to the first token that neither begins before `limit` nor is only known by what begins there.
    mutating func advance(to limit: Int) {
        while true {
            cursor.skipToStructure()
            if cursor.isAtEnd || cursor.offset >= limit { return }
            switch cursor.byte {
            case UInt8(ascii: "\""): cursor.skipString()
            case UInt8(ascii: "/"): cursor.skipComment()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                cursor.advance()
                containers.append(OpenContainer(start: cursor.offset))
            case UInt8(ascii: ","):
                cursor.advance()
                let item = containers[containers.count - 1].item + 1
                containers[containers.count - 1] = OpenContainer(item: item, start: cursor.offset)
            default:
                cursor.advance()
                containers.removeLast()
            }
        }
    }

    /// Moves to the first comma or bracket from `limit` on that separates or ends the items of an open container, and
    /// leaves the containers that end before. Returns the place of the last item before it; nil if all of them end.
    mutating func advanceToSeparator(from limit: Int) -> OpenContainer? {
        guard var last = containers.last else { return nil }
        var depth = 0
        while true {
            cursor.skipToStructure()
            if cursor.isAtEnd { return nil }
            let isSeparator = depth == 0 && cursor.offset >= limit
            switch cursor.byte {
            case UInt8(ascii: "\""): cursor.skipString()
            case UInt8(ascii: "/"): cursor.skipComment()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                cursor.advance()
                depth += 1
            case UInt8(ascii: ","):
                if isSeparator { return last }
                cursor.advance()
                if depth == 0 { last = OpenContainer(item: last.item + 1, start: cursor.offset) }
            default:
                if isSeparator { return last }
                cursor.advance()
                depth -= 1
                if depth >= 0 { continue }
                // All of this container is part of an item.
                depth = 0
                containers.removeLast()
                guard let outer = containers.last else { return nil }
                last = outer
            }
        }
    }
}
