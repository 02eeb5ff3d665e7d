/// A walk over the containers of a valid text that counts their items.
struct ItemWalk {
    /// The place of the walk in a container whose end it has not reached.
    struct OpenContainer: Sendable {
        /// The position of the current item.
        var item = 0
        /// The offset after the bracket or comma before it.
        var start: Int
    }

    private(set) var cursor: TextCursor
    private(set) var containers: [OpenContainer] = []

    /// Begins at a mark of the text, or at its start.
    init(_ text: UnsafeBufferPointer<UInt8>, from mark: PositionMarks.Entry?) {
        cursor = TextCursor(text)
        if let mark {
            cursor = TextCursor(text, at: mark.offset)
            containers = mark.containers
        }
    }

    /// Moves to the first string, bracket, comma or comment from `limit` on, and adds to the marks of the text.
    mutating func advance(to limit: Int, _ marks: inout PositionMarks) {
        while true {
            cursor.skipToStructure()
            if cursor.isAtEnd || cursor.offset >= limit { return }
            step(&marks)
        }
    }

    /// Moves to the item to which positions lead from the root, and adds to the marks of the text.
    mutating func advance(toItemAt path: [Int], _ marks: inout PositionMarks) {
        while containers.count != path.count || !zip(containers, path).allSatisfy({ $0.item == $1 }) {
            cursor.skipToStructure()
            if cursor.isAtEnd { return }
            step(&marks)
        }
    }

    /// Moves past a string, bracket, comma or comment. Adds a mark only where an item begins, because elsewhere a change
    /// of the items before it would move the mark away from the item that it is in.
    @inline(__always)
    private mutating func step(_ marks: inout PositionMarks) {
        switch cursor.byte {
        case UInt8(ascii: "\""):
            cursor.skipString()
            return
        case UInt8(ascii: "/"):
            cursor.skipComment()
            return
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
            return
        }
        if cursor.offset >= marks.end { marks.add(cursor.offset, containers) }
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
