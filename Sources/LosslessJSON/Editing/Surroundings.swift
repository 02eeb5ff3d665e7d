/// What is known of the layout around a value.
struct Surroundings {
    /// Whether it stands on a line of its own, with its key.
    private(set) var hasLines = true
    /// What a level adds to the indentation.
    private(set) var unit: [UInt8] = [0x20, 0x20]
    /// Whether spaces stand behind colons and commas.
    private(set) var isSpaced = true

    /// Around the value of an item of a container that stands in these surroundings.
    func inside(
        _ place: ContainerPlace, at item: ContainerPlace.Item, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Surroundings {
        var inner = self
        inner.hasLines = bytes.isFirstOnLine(item.start)
        if place.holdsMembers {
            inner.isSpaced = bytes.isSpace(item.valueStart - 1)
        } else if !inner.hasLines, item.start - 1 != place.open {
            inner.isSpaced = bytes.isSpace(item.start - 1)
        }
        guard inner.hasLines else { return inner }
        let outer = bytes.indentation(around: place.open)
        let indentation = bytes.indentation(around: item.start)
        if indentation.count > outer.count, indentation.starts(with: outer) {
            inner.unit = Array(indentation.dropFirst(outer.count))
        }
        return inner
    }

    /// A value that begins at `start`.
    func print(_ value: JSON, at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var style = PrintStyle(lines: nil, isSpaced: isSpaced)
        if hasLines && value.isContainer {
            style.isSpaced = true
            style.lines = PrintStyle.Lines(
                newline: bytes.firstNewline, indentation: bytes.indentation(around: start), unit: unit,
                column: start - bytes.lineStart(before: start))
        }
        return Print.of(value, in: style)
    }
}

extension ContainerLayout {
    /// The layout of a container that stands in some surroundings.
    init(of place: ContainerPlace, _ surroundings: Surroundings, in bytes: UnsafeBufferPointer<UInt8>) {
        outerIndentation = bytes.indentation(around: place.open)
        newline = bytes.firstNewline
        guard let last = place.items.last else {
            hasLines = surroundings.hasLines
            (unit, isSpaced) = (surroundings.unit, surroundings.isSpaced)
            indentation = outerIndentation + unit
            return
        }
        let inner = surroundings.inside(place, at: last, in: bytes)
        (hasLines, unit, isSpaced) = (inner.hasLines, inner.unit, inner.isSpaced)
        indentation = hasLines ? bytes.indentation(around: last.start) : outerIndentation + unit
        let before = place.gap(place.items.count - 1, in: bytes).pieces
        if let comma = before.lastIndex(where: \.isComma) {
            takeLeadingComma(before, comma, in: bytes)
        }
        hasTrailingComma = place.gap(place.items.count, in: bytes).pieces.contains(where: \.isComma)
        if place.holdsMembers { takeColon(of: last, in: bytes) }
    }

    private mutating func takeLeadingComma(_ pieces: [Piece], _ comma: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        guard pieces[..<comma].contains(where: \.isNewline), !pieces[comma...].contains(where: \.isNewline) else {
            return
        }
        let isIndented = pieces[comma - 1].isSpace
        let space = pieces[(comma + 1)...].first.flatMap { $0.isSpace ? Array(bytes[$0.range]) : nil } ?? []
        let indentation = isIndented ? Array(bytes[pieces[comma - 1].range]) : []
        leadingComma = (indentation, space)
        self.indentation = indentation + Array(repeating: 0x20, count: space.count + 1)
        hasLines = true
    }

    private mutating func takeColon(of item: ContainerPlace.Item, in bytes: UnsafeBufferPointer<UInt8>) {
        var walker = TextWalker(bytes, at: item.start)
        walker.skipString()
        let keyEnd = walker.offset
        walker.skipSpaceAndComments()
        hasSpaceBeforeColon = walker.offset == keyEnd + 1
    }
}

extension UnsafeBufferPointer<UInt8> {
    func isSpace(_ offset: Int) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self[offset]) }

    /// Whether nothing stands before a byte on its line.
    func isFirstOnLine(_ offset: Int) -> Bool {
        var start = offset
        while start > 0, self[start - 1] == 0x20 || self[start - 1] == 0x09 { start -= 1 }
        return start == 0 || self[start - 1] == 0x0A || self[start - 1] == 0x0D
    }

    /// What the line begins with on which a byte stands.
    func indentation(around offset: Int) -> [UInt8] {
        Array(self[lineStart(before: offset)...].prefix { $0 == 0x20 || $0 == 0x09 })
    }

    /// What ends the lines of a text; a line feed where it has but one.
    var firstNewline: [UInt8] {
        guard let end = firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0A] }
        if self[end] == 0x0A { return [0x0A] }
        return end + 1 < count && self[end + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }
}
