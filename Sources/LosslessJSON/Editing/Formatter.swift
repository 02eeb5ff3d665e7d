extension JSONDocument {
    /// Reformats the text in the layout that ``JSONPrinter`` uses for new files: one member or element per line, two
    /// spaces per level, short arrays of scalars on one line.
    ///
    /// Only white space changes. A trailing comment stays on the line of its item; any other comment gets its own line.
    /// Lines inside a comment are not changed. Consecutive blank lines collapse into one. The line-ending style, a
    /// byte-order mark and trailing commas are kept.
    ///
    /// - Throws: ``JSONEditError`` if the result would exceed ``Options/sizeLimit``.
    public func formatted(lineWidth: Int = JSONPrinter().lineWidth) throws(JSONEditError) -> JSONDocument {
        defer { extendLifetime(source) }
        var formatter = Formatter(source.bytes, lineWidth: lineWidth)
        guard let text = formatter.run(limit: options.sizeLimit) else { throw JSONEditError(.size, JSONPointer()) }
        if text.elementsEqual(source.bytes) { return self }
        guard let formatted = try? reparsed(text) else { preconditionFailure("white space made a text invalid") }
        return formatted
    }
}

/// Rewrites the tokens of a valid text with new white space.
private struct Formatter {
    private let lineWidth: Int
    private let newline: [UInt8]
    private var cursor: TextCursor
    private var output: [UInt8] = []
    private var lineStart = 0
    private var depth = 0
    /// The number of line ends between the previous token and the next one.
    private var lineEnds = 0
    private var previous = PreviousToken.nothing

    private enum PreviousToken { case nothing, open, colon, comma, leadingComma, value, lineComment, blockComment }

    init(_ bytes: UnsafeBufferPointer<UInt8>, lineWidth: Int) {
        self.lineWidth = max(lineWidth, 0)
        newline = TextLayout(bytes).newline
        cursor = TextCursor(bytes)
        output.reserveCapacity(bytes.count)
        output.append(contentsOf: bytes[..<cursor.offset])
    }

    /// Returns the reformatted text, or nil if it would exceed `limit` bytes.
    mutating func run(limit: Int) -> [UInt8]? {
        skipSpace()
        while !cursor.isAtEnd {
            appendToken()
            if output.count > limit { return nil }
            skipSpace()
        }
        output.append(contentsOf: newline)
        return output.count > limit ? nil : output
    }

    private mutating func skipSpace() {
        lineEnds = 0
        while !cursor.isAtEnd {
            switch cursor.byte {
            case 0x0A: lineEnds += 1
            case 0x0D: if cursor.nextByte != 0x0A { lineEnds += 1 }
            case 0x20, 0x09: break
            default: return
            }
            cursor.advance()
        }
    }

    private mutating func appendToken() {
        let start = cursor.offset
        switch cursor.byte {
        case UInt8(ascii: "/"):
            separateComment()
            let isBlock = cursor.skipComment()
            append(start..<cursor.offset, isBlock ? .blockComment : .lineComment)
        case UInt8(ascii: "{"), UInt8(ascii: "["): appendOpening()
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if previous != .open { endLine(blankLines: 0) }
            cursor.advance()
            append(start..<cursor.offset, .value)
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            let isComma = cursor.byte == UInt8(ascii: ",")
            let beginsLine = previous == .lineComment
            if beginsLine { endLine(blankLines: 0) }
            cursor.advance()
            append(start..<cursor.offset, !isComma ? .colon : beginsLine ? .leadingComma : .comma)
        default:
            separateValue()
            cursor.skipValue()
            append(start..<cursor.offset, .value)
        }
    }

    private mutating func append(_ range: Range<Int>, _ kind: PreviousToken) {
        output.append(contentsOf: cursor.bytes[range])
        previous = kind
    }

    private mutating func endLine(blankLines: Int) {
        output.append(contentsOf: newline)
        if blankLines > 0 { output.append(contentsOf: newline) }
        lineStart = output.count
        output.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    private mutating func separateComment() {
        switch previous {
        case .nothing: break
        case .lineComment: endLine(blankLines: lineEnds > 1 ? 1 : 0)
        case .open where precedesValueOnLine, .comma where precedesValueOnLine: separateValue()
        default:
            if lineEnds > 0 {
                endLine(blankLines: lineEnds > 1 && previous != .open ? 1 : 0)
            } else {
                output.append(0x20)
            }
        }
    }

    /// Whether a value follows on the same line as the comment at the cursor.
    private var precedesValueOnLine: Bool {
        var ahead = cursor
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
        switch previous {
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
        let start = cursor.offset
        if let end = endOfShortArray() {
            appendShortArray(end)
        } else {
            cursor.advance()
            append(start..<cursor.offset, .open)
            depth += 1
        }
    }

    /// The offset after the closing bracket of an array of scalars that fits on the current line; nil for any other
    /// container.
    private func endOfShortArray() -> Int? {
        guard cursor.byte == UInt8(ascii: "[") else { return nil }
        var ahead = cursor
        var (width, count) = (1, 0)
        let remainingBytes = lineWidth - (output.count - lineStart) - (depth == 0 ? 1 : 2)
        ahead.advance()
        while true {
            ahead.skipSpace()
            switch ahead.byte {
            case UInt8(ascii: "]"):
                return count == 0 || count > lineWidth / 2 || width > remainingBytes ? nil : ahead.offset + 1
            case UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "{"): return nil
            case UInt8(ascii: ","):
                width += 1
                ahead.advance()
            default:
                let start = ahead.offset
                ahead.skipValue()
                if count > 0 { width += 1 }
                (width, count) = (width + ahead.offset - start, count + 1)
                if width > remainingBytes { return nil }
            }
        }
    }

    private mutating func appendShortArray(_ end: Int) {
        while cursor.offset < end {
            cursor.skipSpace()
            let start = cursor.offset
            switch cursor.byte {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","): cursor.advance()
            default:
                if previous == .comma { output.append(0x20) }
                cursor.skipValue()
            }
            append(start..<cursor.offset, cursor.bytes[start] == UInt8(ascii: ",") ? .comma : .open)
        }
        previous = .value
    }
}

extension TextCursor {
    fileprivate mutating func skipSpace() {
        while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
    }
}
