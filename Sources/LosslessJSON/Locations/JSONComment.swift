/// A comment in a text.
public struct JSONComment: Sendable, Hashable {
    /// The contents, without `//`, `/*` and `*/`, and without white space at both ends.
    public let text: String

    /// The value that the comment belongs to, by the rules of <doc:Editing>. If it belongs to no member or element, the
    /// object or array that contains it, or the root.
    public let path: JSONPointer

    /// The bytes of the comment in the text.
    public let range: Range<Int>
}

extension JSONDocument {
    /// Returns the comments of the text, in their order. Each line that begins with `//` is a comment of its own.
    ///
    /// ```swift
    /// let comments = document.comments().filter { $0.path == "http.port" }.map(\.text)
    /// ```
    ///
    /// Scans the text once.
    public func comments() -> [JSONComment] {
        defer { extendLifetime(source) }
        var search = CommentSearch(in: source.bytes)
        return search.run(hasValue: !isBlank)
    }
}

/// Finds the comments of a text in one pass.
private struct CommentSearch {
    /// An open container.
    private struct OpenContainer {
        let isObject: Bool
        /// For an object: the contents of the current key.
        var key = 0..<0
        /// The index of the current item.
        var index = -1
        /// The offset after the opening bracket or the current item.
        var triviaStart: Int
    }

    private var cursor: TextCursor
    private var openContainers: [OpenContainer] = []
    private var found: [JSONComment] = []

    init(in bytes: UnsafeBufferPointer<UInt8>) { cursor = TextCursor(bytes) }

    mutating func run(hasValue: Bool) -> [JSONComment] {
        findBeforeValue()
        if hasValue { visitValue() }
        while !openContainers.isEmpty {
            findBetweenItems()
            switch cursor.byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                openContainers.removeLast()
                cursor.advance()
                endItem()
            default:
                readKey()
                visitValue()
            }
        }
        findBeforeValue()
        return found
    }

    /// Enters the container at the cursor, or skips a scalar.
    private mutating func visitValue() {
        let isObject = cursor.byte == UInt8(ascii: "{")
        if isObject || cursor.byte == UInt8(ascii: "[") {
            cursor.advance()
            openContainers.append(OpenContainer(isObject: isObject, triviaStart: cursor.offset))
        } else {
            cursor.skipValue()
            endItem()
        }
    }

    private mutating func endItem() {
        if !openContainers.isEmpty { openContainers[openContainers.count - 1].triviaStart = cursor.offset }
    }

    /// Moves from a key to its value, and counts the item.
    private mutating func readKey() {
        let last = openContainers.count - 1
        openContainers[last].index += 1
        guard openContainers[last].isObject else { return }
        openContainers[last].key = cursor.skipString()
        findBeforeValue()
        cursor.advance()  // the colon
        findBeforeValue()
    }

    /// Moves over white space, whose comments belong to the current value, or to the root.
    private mutating func findBeforeValue() {
        let start = cursor.offset
        cursor.skipSpaceAndComments()
        add(in: start..<cursor.offset, of: openContainers.last)
    }

    /// Moves from an item or an opening bracket to the next item or the closing bracket.
    private mutating func findBetweenItems() {
        let container = openContainers.last!
        cursor.skipSeparator()
        let range = container.triviaStart..<cursor.offset
        guard cursor.bytes[range].contains(UInt8(ascii: "/")) else { return }
        let isAtEnd = cursor.byte == UInt8(ascii: "}") || cursor.byte == UInt8(ascii: "]")
        var next = container
        next.index += 1
        if container.isObject, !isAtEnd {
            var ahead = cursor
            next.key = ahead.skipString()
        }
        let trivia = Trivia(range, in: cursor.bytes, hasItemBefore: container.index >= 0, hasItemAfter: !isAtEnd)
        for token in trivia.tokens {
            switch token.owner {
            case .previousItem: add(in: token.range, of: container)
            case .nextItem: add(in: token.range, of: next)
            case .unattached: add(in: token.range, of: nil)
            }
        }
    }

    /// Adds the comments in a range without items, which belong to an item of the innermost container, or to that.
    private mutating func add(in range: Range<Int>, of item: OpenContainer?) {
        var cursor = TextCursor(cursor.bytes, at: range.lowerBound)
        while cursor.offset < range.upperBound {
            guard cursor.byte == UInt8(ascii: "/") else {
                cursor.advance()
                continue
            }
            let start = cursor.offset
            let isBlock = cursor.skipComment()
            let text = String(decoding: cursor.bytes[start + 2..<cursor.offset - (isBlock ? 2 : 0)], as: UTF8.self)
            found.append(JSONComment(text: text.trimmed, path: path(through: item), range: start..<cursor.offset))
        }
    }

    private func path(through item: OpenContainer?) -> JSONPointer {
        let containers = openContainers.dropLast() + (item.map { [$0] } ?? [])
        return JSONPointer(containers.map { $0.isObject ? key(of: $0) : String($0.index) })
    }

    private func key(of container: OpenContainer) -> String {
        let contents = UnsafeBufferPointer(rebasing: cursor.bytes[container.key])
        return Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) }.string
    }
}

extension String {
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
