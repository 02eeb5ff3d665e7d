extension JSONDocument {
    /// Where the value at `pointer` begins; nil when there is none.
    ///
    /// The text is walked along the path, so this costs a pass over what stands before the place.
    public func location(of pointer: JSONPointer) -> JSONLocation? {
        range(of: pointer).map { location(at: $0.lowerBound) }
    }

    /// Where the key of the member at `pointer` begins; nil when there is none, or when it is an element of an array.
    public func locationOfKey(of pointer: JSONPointer) -> JSONLocation? {
        guard let place = place(of: pointer.tokens), let key = place.key else { return nil }
        return location(at: key.lowerBound)
    }

    /// The bytes of the value at `pointer`; nil when there is none.
    public func range(of pointer: JSONPointer) -> Range<Int>? { place(of: pointer.tokens)?.value }

    /// The line and column of a byte of the text. An offset beyond either end means that end.
    public func location(at offset: Int) -> JSONLocation {
        var counter = LineCounter(source.bytes)
        return counter.location(of: min(max(offset, 0), source.count))
    }

    /// The line around a byte of the text. An offset beyond either end means that end.
    public func excerpt(at offset: Int) -> JSONExcerpt {
        JSONExcerpt(of: max(offset, 0), in: source.bytes)
    }

    /// Where the value at `pointer` begins, or where the nearest container that could hold it does.
    package func nearestLocation(of pointer: JSONPointer) -> JSONLocation {
        var tokens = pointer.tokens[...]
        while true {
            if let place = place(of: tokens) { return location(at: place.value.lowerBound) }
            tokens.removeLast()  // the root is always there
        }
    }

    private struct Place {
        /// With its quotes.
        var key: Range<Int>?
        var value: Range<Int>
    }

    private func place(of tokens: some Collection<String>) -> Place? {
        var walker = TextWalker(source.bytes)
        walker.skipSpaceAndComments()
        var key: Range<Int>?
        for token in tokens {
            switch walker.byte {
            case UInt8(ascii: "{"): key = JSONDocument.enterMember(token, &walker)
            case UInt8(ascii: "["):
                guard JSONDocument.enterElement(token, &walker) else { return nil }
                key = nil
                continue
            default: return nil
            }
            if key == nil { return nil }
        }
        let start = walker.offset
        walker.skipValue()
        return Place(key: key, value: start..<walker.offset)
    }

    /// From an object to the value of its last member with a key; gives the place of the key.
    private static func enterMember(_ key: String, _ walker: inout TextWalker) -> Range<Int>? {
        let wanted = Array(key.utf8)
        var found: (key: Range<Int>, value: TextWalker)?
        walker.advance()
        walker.skipSpaceAndComments()
        while walker.byte == UInt8(ascii: "\"") {
            let start = walker.offset
            let contents = walker.skipString()
            let quoted = start..<walker.offset
            walker.skipSpaceAndComments()
            walker.advance()  // the colon
            walker.skipSpaceAndComments()
            if isKey(walker.bytes[contents], wanted) { found = (quoted, walker) }
            walker.skipValue()
            walker.skipSeparator()
        }
        if let found { walker = found.value }
        return found?.key
    }

    private static func isKey(_ contents: UnsafeBufferPointer<UInt8>.SubSequence, _ wanted: [UInt8]) -> Bool {
        guard contents.contains(UInt8(ascii: "\\")) else { return contents.elementsEqual(wanted) }
        return Escapes.decoded(UnsafeBufferPointer(rebasing: contents)) == wanted
    }

    /// From an array to one of its elements.
    private static func enterElement(_ token: String, _ walker: inout TextWalker) -> Bool {
        guard var index = JSONPointer.index(token) else { return false }
        walker.advance()
        walker.skipSpaceAndComments()
        while walker.byte != UInt8(ascii: "]") {
            if index == 0 { return true }
            index -= 1
            walker.skipValue()
            walker.skipSeparator()
        }
        return false
    }
}

extension TextWalker {
    /// From behind a member or an element to the next one, or to the closing bracket.
    mutating func skipSeparator() {
        skipSpaceAndComments()
        if byte == UInt8(ascii: ",") {
            advance()
            skipSpaceAndComments()
        }
    }
}
