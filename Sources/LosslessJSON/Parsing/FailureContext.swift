internal import VisibleText

/// Examines the text around the offset at which the scanner stopped and describes the error. Runs only for errors.
struct FailureContext {
    let failure: ScanFailure
    let bytes: UnsafeBufferPointer<UInt8>
    let options: JSONDocument.Options

    init(_ failure: ScanFailure, _ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONDocument.Options) {
        (self.failure, self.bytes, self.options) = (failure, bytes, options)
    }

    var offset: Int { failure.offset }
    var isAtEnd: Bool { offset >= bytes.count }

    /// The offset to report. The last lines of a text that ends prematurely are often blank: reports the end of the
    /// last line that is not.
    var reportedOffset: Int {
        guard isAtEnd, !isInString else { return offset }
        return bytes.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 + 1 } ?? 0
    }

    var byte: UInt8 { self[0] }

    /// The byte at a distance from the offset; 0 outside the text.
    subscript(distance: Int) -> UInt8 {
        let index = offset + distance
        return bytes.indices.contains(index) ? bytes[index] : 0
    }

    var expected: String {
        switch failure.expected {
        case .value: "a value"
        case .key: "a key in double quotes"
        case .colon: "\":\" after the key"
        case .commaOrBrace: "\",\" or \"}\""
        case .commaOrBracket: "\",\" or \"]\""
        case .endOfText: "nothing more after the value"
        case .digit: "a digit"
        case .stringEnd: "the closing quote of a string"
        case .escape: "one of \" \\ / b f n r t u after the backslash"
        case .hexDigit: "four hexadecimal digits after \\u"
        case .lowSurrogate: "both halves of a surrogate pair"
        case .utf8: "UTF-8"
        case .commentEnd: "\"*/\" at the end of the comment"
        case .depth: "at most \(options.depthLimit) nested containers"
        case .size: "at most \(options.sizeLimit) bytes"
        }
    }

    /// The word, character or byte at the offset.
    var found: String {
        switch failure.expected {
        case .size: return "more"
        case .depth: return "one more"
        case .lowSurrogate: return String(decoding: bytes[offset...].prefix(6), as: UTF8.self) + " alone"
        case .commentEnd: return "the end of the text"
        case _ where isAtEnd: return "the end of the text"
        default: break
        }
        switch byte {
        case 0x0A, 0x0D: return "a line end"
        case 0x09: return "a tab"
        case 0x20: return "a space"
        case UInt8(ascii: "\""): return isBetweenTokens ? "a string" : "a double quote"
        case UInt8(ascii: "/") where isBetweenTokens && isComment: return "a comment"
        case 0..<0x20, 0x7F: return "a control character, " + FailureContext.codePoint(UInt32(byte))
        case 0x80...: return character ?? "the byte 0x" + FailureContext.hex(UInt32(byte), digits: 2)
        default: return "\"\(failure.expected == .escape ? String(word.prefix(1)) : word)\""
        }
    }

    var codeAndHint: (JSONSyntaxError.Code, String?) {
        switch failure.expected {
        case .size: return (.size, nil)
        case _ where isUTF16Or32: return (.encoding, "the text looks like UTF-16 or UTF-32; save it as UTF-8")
        case .depth: return (.depth, nil)
        case .lowSurrogate: return (.surrogate, nil)
        case .commentEnd: return (.unexpectedEnd, nil)
        case .digit where isAtEnd: return (.unexpectedEnd, numberHint ?? unclosed)
        case _ where isAtEnd: return (.unexpectedEnd, unclosed)
        case .utf8: return (.encoding, "save the text as UTF-8")
        case _ where byte >= 0x80 && scalar == nil: return (.encoding, "save the text as UTF-8")
        case .digit: return (.number, numberHint)
        case .stringEnd: return (.string, stringHint)
        case .escape, .hexDigit: return (.string, escapeHint)
        case .value, .key, .colon, .commaOrBrace, .commaOrBracket, .endOfText:
            if isComment { return (.comment, "JSON has no comments (RFC 8259)") }
            if isAfterTrailingComma { return (.trailingComma, "remove the comma before it") }
            return (.unexpected, tokenHint)
        }
    }
}

// MARK: - Details

extension FailureContext {
    /// Whether a new token was expected at the offset rather than the continuation of one.
    private var isBetweenTokens: Bool {
        switch failure.expected {
        case .value, .key, .colon, .commaOrBrace, .commaOrBracket, .endOfText: true
        default: false
        }
    }

    /// UTF-16 and UTF-32 are recognized by a byte-order mark, or by the zero bytes of their first characters.
    private var isUTF16Or32: Bool {
        let start = bytes.prefix(4)
        if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) { return true }
        let zeros = start.map { $0 == 0 ? "0" : "x" }.joined()
        return offset < 2 && ["x0x0", "0x0x", "x000", "000x"].contains(zeros)
    }

    private var isComment: Bool {
        byte == UInt8(ascii: "/") && (self[1] == UInt8(ascii: "/") || self[1] == UInt8(ascii: "*"))
    }

    private var isAfterTrailingComma: Bool {
        switch (failure.expected, byte) {
        case (.value, UInt8(ascii: "]")), (.key, UInt8(ascii: "}")): previousToken == UInt8(ascii: ",")
        default: false
        }
    }

    /// The non-ASCII scalar at the offset; nil if the bytes are not valid.
    var scalar: Unicode.Scalar? {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        return String(validating: bytes[offset...].prefix(length), as: UTF8.self)?.unicodeScalars.first
    }

    /// The scalar at the offset with its code point, or only the code point if it is invisible.
    private var character: String? {
        guard let scalar else { return nil }
        let name = FailureContext.codePoint(scalar.value)
        let isShown = scalar.isVisible && scalar.properties.generalCategory != .spaceSeparator
        return isShown ? "\"\(scalar)\" (\(name))" : name
    }

    static func codePoint(_ value: UInt32) -> String { "U+" + hex(value, digits: 4) }

    static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The letters, digits and points at the offset; at least one character.
    var word: String {
        let rest = bytes[offset...].prefix(25)
        let letters = rest.prefix(while: FailureContext.isPartOfWord)
        let text = String(decoding: letters.isEmpty ? rest.prefix(1) : letters.prefix(24), as: UTF8.self)
        return letters.count > 24 ? text + "…" : text
    }

    static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The last byte before the offset outside white space and comments.
    var previousToken: UInt8? {
        var cursor = TextCursor(UnsafeBufferPointer(rebasing: bytes[..<offset]))
        var last: UInt8?
        cursor.skipSpaceAndComments()
        while !cursor.isAtEnd {
            last = cursor.byte
            if last == UInt8(ascii: "\"") { cursor.skipString() } else { cursor.advance() }
            cursor.skipSpaceAndComments()
        }
        return last
    }
}
