extension JSONDocument {
    /// The document laid out as ``JSONPrinter`` lays out new files: one member or element a line, two spaces a level,
    /// short arrays of scalars on one line.
    ///
    /// Only white space differs afterwards. A comment stays on the line of what it stands behind, or gets a line of its
    /// own; lines within a comment stay as they are. Of blank lines one stays. Line ends are those of the text, a
    /// byte-order mark stays, and so do commas behind last items.
    ///
    /// - Throws: that the text would be longer than the document's limit allows.
    public func formatted(lineWidth: Int = JSONPrinter().lineWidth) throws(JSONEditError) -> JSONDocument {
        defer { extendLifetime(source) }
        var formatting = Formatting(source.bytes, lineWidth: lineWidth)
        guard let text = formatting.run(limit: options.sizeLimit) else { throw JSONEditError(.size, JSONPointer()) }
        if text.elementsEqual(source.bytes) { return self }
        guard let formatted = try? reparsed(text) else { preconditionFailure("white space made a text invalid") }
        return formatted
    }
}

/// A walk through a text that writes its tokens anew.
private struct Formatting {
    private let lineWidth: Int
    private let newline: [UInt8]
    private var walker: TextWalker
    private var output: [UInt8] = []
    private var lineStart = 0
    private var depth = 0
    /// How many line ends stood between the last token and the next one.
    private var lineEnds = 0
    private var last = Last.nothing

    private enum Last { case nothing, open, colon, comma, leadingComma, value, lineComment, blockComment }

    init(_ bytes: UnsafeBufferPointer<UInt8>, lineWidth: Int) {
        self.lineWidth = lineWidth
        newline = EditedText(bytes).newline
        walker = TextWalker(bytes)
        output.reserveCapacity(bytes.count)
        output.append(contentsOf: bytes[..<walker.offset])
    }

    /// nil when it would be longer than the limit.
    mutating func run(limit: Int) -> [UInt8]? {
        skipSpace()
        while !walker.isAtEnd {
            appendToken()
            if output.count > limit { return nil }
            skipSpace()
        }
        output.append(contentsOf: newline)
        return output.count > limit ? nil : output
    }

    private mutating func skipSpace() {
        lineEnds = 0
        while !walker.isAtEnd {
            switch walker.byte {
            case 0x0A: lineEnds += 1
            case 0x0D: if walker.nextByte != 0x0A { lineEnds += 1 }
            case 0x20, 0x09: break
            default: return
            }
            walker.advance()
        }
    }

    private mutating func appendToken() {
        let start = walker.offset
        switch walker.byte {
        case UInt8(ascii: "/"):
            separateComment()
            let isBlock = walker.skipComment()
            append(start..<walker.offset, isBlock ? .blockComment : .lineComment)
        case UInt8(ascii: "{"), UInt8(ascii: "["): appendOpening()
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if last != .open { endLine(blankLines: 0) }
            walker.advance()
            append(start..<walker.offset, .value)
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            let isComma = walker.byte == UInt8(ascii: ",")
            let beginsLine = last == .lineComment
            if beginsLine { endLine(blankLines: 0) }
            walker.advance()
            append(start..<walker.offset, !isComma ? .colon : beginsLine ? .leadingComma : .comma)
        default:
            separateValue()
            walker.skipValue()
            append(start..<walker.offset, .value)
        }
    }

    private mutating func append(_ range: Range<Int>, _ kind: Last) {
        output.append(contentsOf: walker.bytes[range])
        last = kind
    }

    private mutating func endLine(blankLines: Int) {
        output.append(contentsOf: newline)
        if blankLines > 0 { output.append(contentsOf: newline) }
        lineStart = output.count
        output.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    private mutating func separateComment() {
        switch last {
        case .nothing: break
        case .lineComment: endLine(blankLines: lineEnds > 1 ? 1 : 0)
        case .open where leadsToValue, .comma where leadsToValue: separateValue()
        default:
            if lineEnds > 0 {
                endLine(blankLines: lineEnds > 1 && last != .open ? 1 : 0)
            } else {
                output.append(0x20)
            }
        }
    }

    /// Whether a value follows on the line of the comment at which the walk is.
    private var leadsToValue: Bool {
        var ahead = walker
        while true {
            switch ahead.byte {
            case 0x20, 0x09: ahead.advance()
            case UInt8(ascii: "/"): if !ahead.skipComment() { return false }
            case 0x0A, 0x0D, UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","): return false
            default: return !ahead.isAtEnd
            }
        }
    }

    private mutating func separateValue() {
        switch last {
        case .nothing, .value: break
        case .open: endLine(blankLines: 0)
        case .comma, .lineComment: endLine(blankLines: lineEnds > 1 ? 1 : 0)
        case .colon, .leadingComma: output.append(0x20)
        case .blockComment:
            if lineEnds > 0 { endLine(blankLines: lineEnds > 1 ? 1 : 0) } else { output.append(0x20) }
        }
    }

    private mutating func appendOpening() {
        separateValue()
        let start = walker.offset
        if let end = endOfShortArray() {
            appendShortArray(end)
        } else {
            walker.advance()
            append(start..<walker.offset, .open)
            depth += 1
        }
    }

    /// Behind the closing bracket of an array of scalars that fits on the line; nil for any other container.
    private func endOfShortArray() -> Int? {
        guard walker.byte == UInt8(ascii: "[") else { return nil }
        var ahead = walker
        var (width, count) = (1, 0)
        let room = lineWidth - (output.count - lineStart) - (depth == 0 ? 1 : 2)
        ahead.advance()
        while true {
            ahead.skipSpace()
            switch ahead.byte {
            case UInt8(ascii: "]"):
                return count == 0 || count > lineWidth / 2 || width > room ? nil : ahead.offset + 1
            case UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "{"): return nil
            case UInt8(ascii: ","):
                width += 1
                ahead.advance()
            default:
                let start = ahead.offset
                ahead.skipValue()
                if count > 0 { width += 1 }
                (width, count) = (width + ahead.offset - start, count + 1)
                if width > room { return nil }
            }
        }
    }

    private mutating func appendShortArray(_ end: Int) {
        while walker.offset < end {
            walker.skipSpace()
            let start = walker.offset
            switch walker.byte {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","): walker.advance()
            default:
                if last == .comma { output.append(0x20) }
                walker.skipValue()
            }
            append(start..<walker.offset, walker.bytes[start] == UInt8(ascii: ",") ? .comma : .open)
        }
        last = .value
    }
}

extension TextWalker {
    fileprivate mutating func skipSpace() {
        while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
    }
}
