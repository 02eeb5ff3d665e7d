/// Suggestions for fixing an error. There is none if the intention is not obvious.
extension FailureContext {
    /// For an unexpected token.
    var tokenHint: String? {
        switch byte {
        case UInt8(ascii: "#"): return options.dialect == .jsonc ? "comments start with //" : "JSON has no comments"
        case UInt8(ascii: "/") where options.dialect == .jsonc: return "comments start with // or /*"
        case 0x80...: return characterHint
        default: break
        }
        switch failure.expected {
        case .value: return valueHint
        case .key: return keyHint
        case .colon: return byte == UInt8(ascii: "=") ? "a key and its value are separated by \":\"" : nil
        case .commaOrBrace, .commaOrBracket: return separatorHint
        case .endOfText where byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"): return "one \"\(word)\" too many"
        default: return spellingHint
        }
    }

    private var characterHint: String? {
        switch scalar?.properties.generalCategory {
        case .format, .spaceSeparator, .control: return "remove this invisible character"
        case .initialPunctuation, .finalPunctuation, .openPunctuation: return "strings need straight double quotes"
        default: return nil
        }
    }

    private var valueHint: String? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): "strings need double quotes"
        case UInt8(ascii: ","): "one comma too many"
        case UInt8(ascii: "+"): "numbers have no plus sign"
        case UInt8(ascii: "."): "a number starts with a digit, as in 0.5"
        default: literalHint
        }
    }

    private var literalHint: String? {
        let word = word.lowercased()
        switch word {
        case "none", "nil", "undefined": return "write null"
        case "nan", "inf", "infinity": return "JSON has no such number"
        default: break
        }
        if let literal = ["true", "false", "null"].first(where: { word.count > 1 && $0.hasPrefix(word) }) {
            return "write \(literal)"
        }
        return word.first?.isLetter == true ? "strings need double quotes" : nil
    }

    private var keyHint: String? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): "strings need double quotes"
        case UInt8(ascii: ","): "one comma too many"
        case _ where FailureContext.isPartOfWord(byte) && !word.hasSuffix("…"): "write \"\(word)\" in double quotes"
        default: nil
        }
    }

    private var separatorHint: String? {
        switch (failure.expected, byte) {
        case (.commaOrBrace, UInt8(ascii: "]")), (.commaOrBracket, UInt8(ascii: "}")): unclosed
        case (_, UInt8(ascii: "\"")), (_, UInt8(ascii: "{")), (_, UInt8(ascii: "[")), (_, UInt8(ascii: "-")):
            "is a comma missing before it?"
        case _ where FailureContext.isPartOfWord(byte) && !FailureContext.isPartOfWord(self[-1]):
            "is a comma missing before it?"
        default: spellingHint
        }
    }

    /// For a byte that directly follows a complete number.
    private var spellingHint: String? {
        switch (self[-1], byte) {
        case (UInt8(ascii: "0"), UInt8(ascii: "0")...UInt8(ascii: "9")): "a number cannot start with 0"
        case (UInt8(ascii: "0"), UInt8(ascii: "x")), (UInt8(ascii: "0"), UInt8(ascii: "X")): "numbers are decimal"
        default: nil
        }
    }

    /// For a number that lacks a digit.
    var numberHint: String? {
        switch self[-1] {
        case UInt8(ascii: "."): return "a decimal point needs digits on both sides"
        case UInt8(ascii: "-") where byte == UInt8(ascii: "."): return "a number starts with a digit, as in -0.5"
        default: break
        }
        switch word.lowercased() {
        case "nan", "inf", "infinity": return "JSON has no such number"
        default: return nil
        }
    }

    var stringHint: String {
        switch byte {
        case 0x0A, 0x0D: "a string cannot span lines; write a line break as \\n"
        case 0x09: "write a tab in a string as \\t"
        default: "write a control character in a string as \\u" + FailureContext.hex(UInt32(byte), digits: 4)
        }
    }

    var escapeHint: String {
        byte == UInt8(ascii: "'") ? "a single quote needs no backslash" : "write a backslash as \\\\"
    }

    /// Names the innermost open string or container at the location of the error.
    var unclosed: String? {
        var cursor = TextCursor(UnsafeBufferPointer(rebasing: bytes[..<offset]))
        var open: [(offset: Int, name: String)] = []
        cursor.skipSpaceAndComments()
        while !cursor.isAtEnd {
            let start = cursor.offset
            switch cursor.byte {
            case UInt8(ascii: "\""):
                cursor.skipString()
                if cursor.isAtEnd && isInString { open.append((start, "string")) }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append((start, cursor.byte == UInt8(ascii: "{") ? "object" : "array"))
                cursor.advance()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                open.removeLast()
                cursor.advance()
            default: cursor.advance()
            }
            cursor.skipSpaceAndComments()
        }
        guard let last = open.last else { return nil }
        var counter = LineCounter(bytes)
        return "the \(last.name) that begins at \(counter.location(of: last.offset)) is not closed"
    }

    var isInString: Bool {
        switch failure.expected {
        case .stringEnd, .escape, .hexDigit: true
        default: false
        }
    }
}
