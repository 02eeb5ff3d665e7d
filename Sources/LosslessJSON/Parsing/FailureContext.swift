/// Looks around the place where a scanner stopped, to find words for it. Only errors pay for this.
struct FailureContext {
    let failure: ScanFailure
    let bytes: UnsafeBufferPointer<UInt8>
    let options: JSONDocument.Options

    init(_ failure: ScanFailure, _ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONDocument.Options) {
        (self.failure, self.bytes, self.options) = (failure, bytes, options)
    }

    private var offset: Int { failure.offset }
    private var isAtEnd: Bool { offset >= bytes.count }
    private var byte: UInt8 { self[0] }

    /// A byte near the place; 0 outside the text.
    private subscript(distance: Int) -> UInt8 {
        let index = offset + distance
        return bytes.indices.contains(index) ? bytes[index] : 0
    }

    var expected: String {
        switch failure.expected {
        case .value: "a value"
        case .key: "a key in double quotes"
        case .colon: "\":\" behind the key"
        case .commaOrBrace: "\",\" or \"}\""
        case .commaOrBracket: "\",\" or \"]\""
        case .endOfText: "nothing more behind the value"
        case .digit: "a digit"
        case .stringEnd: "the closing quote of a string"
        case .escape: "one of \" \\ / b f n r t u behind the backslash"
        case .hexDigit: "four hexadecimal digits behind \\u"
        case .lowSurrogate: "both halves of a surrogate pair"
        case .utf8: "UTF-8"
        case .commentEnd: "\"*/\" at the end of the comment"
        case .depth: "at most \(options.depthLimit) containers inside each other"
        case .size: "at most \(options.sizeLimit) bytes"
        }
    }

    /// What stands at the place: a word, a character or a byte.
    var found: String {
        switch failure.expected {
        case .size: return "\(bytes.count)"
        case .depth: return "one more"
        case .lowSurrogate: return "one half"
        case .commentEnd: return "the end of the text"
        case _ where isAtEnd: return "the end of the text"
        default: break
        }
        switch byte {
        case 0x0A, 0x0D: return "a line end"
        case 0x09: return "a tab"
        case 0x22: return "a double quote"
        case 0..<0x20, 0x7F: return "a control character, U+" + hex(UInt32(byte), digits: 4)
        case 0x80...: return scalar ?? "the byte 0x" + hex(UInt32(byte), digits: 2)
        default: return "\"\(word)\""
        }
    }

    /// The character beyond ASCII at the place; nil where the bytes are none.
    private var scalar: String? {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        let text = String(decoding: bytes[offset..<min(offset + length, bytes.count)], as: UTF8.self)
        guard let first = text.unicodeScalars.first, text.unicodeScalars.count == 1, first != "\u{FFFD}" else {
            return nil
        }
        let name = "U+" + hex(first.value, digits: 4)
        switch first.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
            return name
        default: return "\"\(first)\" (\(name))"
        }
    }

    private func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The letters, digits and points from the place on; at least one character.
    private var word: String {
        let isPartOfWord = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        let rest = bytes[offset...].prefix(25)
        let letters = rest.prefix(while: isPartOfWord)
        let text = String(decoding: letters.isEmpty ? rest.prefix(1) : letters.prefix(24), as: UTF8.self)
        return letters.count > 24 ? text + "…" : text
    }

    func codeAndHint() -> (JSONSyntaxError.Code, String?) {
        if let foreign = foreignEncoding { return (.encoding, foreign) }
        switch failure.expected {
        case .utf8: return (.encoding, "save the text as UTF-8")
        case .depth: return (.depth, nil)
        case .size: return (.size, nil)
        case .lowSurrogate: return (.surrogate, nil)
        case .commentEnd: return (.unexpectedEnd, nil)
        case _ where isAtEnd: return (.unexpectedEnd, unclosed)
        case .digit: return (.number, numberHint)
        case .stringEnd: return (.string, stringHint)
        case .escape, .hexDigit: return (.string, "a backslash itself is written \\\\")
        case .value, .key, .colon, .commaOrBrace, .commaOrBracket, .endOfText: return unexpected
        }
    }

    /// UTF-16 and UTF-32 show themselves by a mark or by the zeros in their first bytes.
    private var foreignEncoding: String? {
        let start = bytes.prefix(2)
        let isForeign =
            start.elementsEqual([0xFE, 0xFF]) || start.elementsEqual([0xFF, 0xFE]) || start.elementsEqual([0, 0])
            || offset < 2 && bytes.count >= 2 && start.contains(0)
        return isForeign ? "the text looks like UTF-16 or UTF-32; save it as UTF-8" : nil
    }
}

// MARK: - Guesses

extension FailureContext {
    private var unexpected: (JSONSyntaxError.Code, String?) {
        if byte == UInt8(ascii: "/"), self[1] == UInt8(ascii: "/") || self[1] == UInt8(ascii: "*") {
            return (.comment, "comments are no part of JSON (RFC 8259)")
        }
        switch (failure.expected, byte) {
        case (.value, UInt8(ascii: "]")), (.value, UInt8(ascii: "}")), (.key, UInt8(ascii: "}")):
            if previousToken == UInt8(ascii: ",") { return (.trailingComma, "remove the comma before it") }
        default: break
        }
        return (.unexpected, unexpectedHint)
    }

    private var unexpectedHint: String? {
        switch (failure.expected, byte) {
        case (_, UInt8(ascii: "#")) where options.dialect == .jsonc: "comments begin with //"
        case (.key, UInt8(ascii: "'")), (.value, UInt8(ascii: "'")): "strings stand in double quotes"
        case (.key, UInt8(ascii: "a")...UInt8(ascii: "z")), (.key, UInt8(ascii: "A")...UInt8(ascii: "Z")):
            "write \"\(word)\" in double quotes"
        case (.value, UInt8(ascii: "+")): "numbers have no plus sign"
        case (.value, UInt8(ascii: ".")): "a number begins with a digit, as in 0.5"
        case (.value, _): literalHint
        case (.colon, UInt8(ascii: "=")): "a key and its value are parted by \":\""
        case (.commaOrBrace, UInt8(ascii: "0")...UInt8(ascii: "9")),
            (.commaOrBracket, UInt8(ascii: "0")...UInt8(ascii: "9")),
            (.endOfText, UInt8(ascii: "0")...UInt8(ascii: "9")):
            self[-1] == UInt8(ascii: "0") ? "a number does not begin with 0" : nil
        case (.commaOrBrace, UInt8(ascii: "\"")), (.commaOrBracket, UInt8(ascii: "\"")):
            "is a comma missing before it?"
        default: nil
        }
    }

    private var literalHint: String? {
        switch word.lowercased() {
        case "true", "false", "null": "write \(word.lowercased())"
        case "none", "nil", "undefined": "write null"
        case "nan", "inf", "infinity": "JSON has no such number"
        case let word where word.first?.isLetter == true: "strings stand in double quotes"
        default: nil
        }
    }

    private var numberHint: String? {
        switch self[-1] {
        case UInt8(ascii: "."): "digits stand on both sides of the point"
        case UInt8(ascii: "-") where word.lowercased().hasPrefix("inf"): "JSON has no such number"
        default: nil
        }
    }

    private var stringHint: String? {
        switch byte {
        case 0x0A, 0x0D: "a string ends on its line; a line break in it is written \\n"
        case 0x09: "a tab in a string is written \\t"
        default: "a control character in a string is written \\u" + hex(UInt32(byte), digits: 4)
        }
    }

    /// The byte before the place that is neither space nor in a comment.
    private var previousToken: UInt8? {
        var walker = TextWalker(UnsafeBufferPointer(rebasing: bytes[..<offset]))
        var last: UInt8?
        walker.skipSpaceAndComments()
        while !walker.isAtEnd {
            last = walker.byte
            if last == UInt8(ascii: "\"") { walker.skipString() } else { walker.advance() }
            walker.skipSpaceAndComments()
        }
        return last
    }

    /// What is still open at the end of the text.
    private var unclosed: String? {
        var walker = TextWalker(bytes)
        var open: [(offset: Int, name: String)] = []
        walker.skipSpaceAndComments()
        while !walker.isAtEnd {
            let start = walker.offset
            switch walker.byte {
            case UInt8(ascii: "\""):
                walker.skipString()
                if walker.isAtEnd, failure.expected == .stringEnd { open.append((start, "string")) }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append((start, walker.byte == UInt8(ascii: "{") ? "object" : "array"))
                walker.advance()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                open.removeLast()
                walker.advance()
            default: walker.advance()
            }
            walker.skipSpaceAndComments()
        }
        guard let last = open.last else { return nil }
        var counter = LineCounter(bytes)
        return "the \(last.name) that begins at \(counter.location(of: last.offset)) is not closed"
    }
}
