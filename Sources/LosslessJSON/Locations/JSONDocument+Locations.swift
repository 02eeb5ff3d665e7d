extension JSONDocument {
    /// The location of the value at `pointer`; nil if there is none.
    ///
    /// Scans the text along the path, which costs a pass over everything before the value; over everything in the
    /// objects on the path if the text has duplicate keys.
    public func location(of pointer: JSONPointer) -> JSONLocation? {
        range(of: pointer).map { location(at: $0.lowerBound) }
    }

    /// The location of the key of the member at `pointer`; nil if there is no value, or if it is an array element.
    public func locationOfKey(of pointer: JSONPointer) -> JSONLocation? {
        guard let ranges = ranges(of: pointer.tokens[...]), let key = ranges.key else { return nil }
        return location(at: key.lowerBound)
    }

    /// The byte range of the value at `pointer`; nil if there is none.
    public func range(of pointer: JSONPointer) -> Range<Int>? { ranges(of: pointer.tokens[...])?.value }

    /// The line and column of a byte offset. Offsets outside the text are clamped.
    public func location(at offset: Int) -> JSONLocation {
        var counter = LineCounter(source.bytes)
        return counter.location(of: min(max(offset, 0), source.count))
    }

    /// The line around a byte offset. Offsets outside the text are clamped.
    public func excerpt(at offset: Int) -> JSONExcerpt {
        JSONExcerpt(of: max(offset, 0), in: source.bytes)
    }

    /// The location of the value at `pointer`, or of its nearest existing ancestor.
    package func nearestLocation(of pointer: JSONPointer) -> JSONLocation {
        var tokens = pointer.tokens[...]
        while true {
            if let ranges = ranges(of: tokens) { return location(at: ranges.value.lowerBound) }
            tokens.removeLast()  // the root is always there
        }
    }

    private struct ValueRange {
        /// Including the quotes.
        var key: Range<Int>?
        var value: Range<Int>
    }

    private func ranges(of tokens: ArraySlice<String>) -> ValueRange? {
        rangesFromMark(of: tokens) ?? rangesFromStart(of: tokens)
    }

    private func rangesFromMark(of tokens: ArraySlice<String>) -> ValueRange? {
        guard var value = valueFromMark(at: tokens) else { return nil }
        let start = value.cursor.offset
        value.cursor.skipValue()
        return ValueRange(key: value.key, value: start..<value.cursor.offset)
    }

    /// The offset of a value, found from the last mark before it; nil if it is not found like that.
    func offsetFromMark(of pointer: JSONPointer) -> Int? { valueFromMark(at: pointer.tokens[...])?.cursor.offset }

    /// The key of a value, and a cursor at the value, found by a walk from the last mark before it; nil without such a mark,
    /// or if the place of the value in the text is not known.
    private func valueFromMark(at tokens: ArraySlice<String>) -> (key: Range<Int>?, cursor: TextCursor)? {
        guard !marks.isEmpty, warnings.isEmpty, let place = value.place(along: tokens),
            let mark = marks.last(beforeItemAt: place.path)
        else { return nil }
        var walk = ItemWalk(source.bytes, from: mark)
        var newMarks = PositionMarks()
        walk.advance(toItemAt: place.path, &newMarks)
        var cursor = walk.cursor
        cursor.skipSpaceAndComments()
        let key = place.isMember ? enterValue(&cursor).quoted : nil
        return (key, cursor)
    }

    private func rangesFromStart(of tokens: ArraySlice<String>) -> ValueRange? {
        var cursor = TextCursor(source.bytes)
        cursor.skipSpaceAndComments()
        if isBlank { return tokens.isEmpty ? ValueRange(value: cursor.offset..<cursor.offset) : nil }
        var key: Range<Int>?
        for token in tokens {
            switch cursor.byte {
            case UInt8(ascii: "{"): key = enterMember(token, &cursor)
            case UInt8(ascii: "["):
                guard enterElement(token, &cursor) else { return nil }
                key = nil
                continue
            default: return nil
            }
            if key == nil { return nil }
        }
        let start = cursor.offset
        cursor.skipValue()
        return ValueRange(key: key, value: start..<cursor.offset)
    }

    /// Moves from an object to the value of the last member with `key`; returns the range of the key.
    private func enterMember(_ key: String, _ cursor: inout TextCursor) -> Range<Int>? {
        let wanted = Array(key.utf8)
        var found: (key: Range<Int>, value: TextCursor)?
        cursor.advance()
        cursor.skipSpaceAndComments()
        while cursor.byte == UInt8(ascii: "\"") {
            let (contents, quoted) = enterValue(&cursor)
            if isKey(cursor.bytes[contents], wanted) {
                found = (quoted, cursor)
                if warnings.isEmpty { break }  // no key occurs twice
            }
            cursor.skipValue()
            cursor.skipSeparator()
        }
        if let found { cursor = found.value }
        return found?.key
    }

    /// Moves from a key to its value; returns the range of the key, without and with its quotes.
    private func enterValue(_ cursor: inout TextCursor) -> (contents: Range<Int>, quoted: Range<Int>) {
        let start = cursor.offset
        let contents = cursor.skipString()
        let quoted = start..<cursor.offset
        cursor.skipSpaceAndComments()
        cursor.advance()  // the colon
        cursor.skipSpaceAndComments()
        return (contents, quoted)
    }

    private func isKey(_ contents: UnsafeBufferPointer<UInt8>.SubSequence, _ wanted: [UInt8]) -> Bool {
        // An escape is longer than what it stands for.
        if contents.count < wanted.count { return false }
        let contents = UnsafeBufferPointer(rebasing: contents)
        if contents.contains(UInt8(ascii: "\\")) { return Escapes.decoded(contents) == wanted }
        return contents.count == wanted.count && contents.elementsEqual(wanted)
    }

    /// Moves from an array to one of its elements.
    private func enterElement(_ token: String, _ cursor: inout TextCursor) -> Bool {
        guard var index = JSONPointer.index(token) else { return false }
        cursor.advance()
        cursor.skipSpaceAndComments()
        while cursor.byte != UInt8(ascii: "]") {
            if index == 0 { return true }
            index -= 1
            cursor.skipValue()
            cursor.skipSeparator()
        }
        return false
    }
}

extension TextCursor {
    /// Moves from the end of an item to the next item or the closing bracket.
    mutating func skipSeparator() {
        skipSpaceAndComments()
        if byte == UInt8(ascii: ",") {
            advance()
            skipSpaceAndComments()
        }
    }
}
