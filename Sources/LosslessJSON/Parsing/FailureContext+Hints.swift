/// Guesses at what the person meant. A guess that is not probable is not made.
extension FailureContext {
    /// For a token that is not the one expected.
    var tokenHint: String? {
        switch byte {
        case UInt8(ascii: "#"): return options.dialect == .jsonc ? "comments begin with //" : "JSON has no comments"
        case UInt8(ascii: "/") where options.dialect == .jsonc: return "comments begin with // or /*"
        case 0x80...: return characterHint
        default: break
        }
        switch failure.expected {
        case .value: return valueHint
        case .key: return keyHint
        case .colon: return byte == UInt8(ascii: "=") ? "a key and its value are parted by \":\"" : nil
        case .commaOrBrace, .commaOrBracket: return separatorHint
        case .endOfText where byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"): return "one \"\(word)\" too many"
        default: return spellingHint
        }
    }

    private var characterHint: String? {
        switch scalar?.properties.generalCategory {
        case .format, .spaceSeparator, .control: return "remove this invisible character"
        case .initialPunctuation, .finalPunctuation, .openPunctuation: return "strings stand in straight double quotes"
        default: return nil
        }
    }

    private var valueHint: String? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): "strings stand in double quotes"
        case UInt8(ascii: ","): "one comma too many"
        case UInt8(ascii: "+"): "numbers have no plus sign"
        case UInt8(ascii: "."): "a number begins with a digit, as in 0.5"
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
        return word.first?.isLetter == true ? "strings stand in double quotes" : nil
    }

    private var keyHint: String? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): "strings stand in double quotes"
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

    /// For what directly follows a number that has ended.
    private var spellingHint: String? {
        switch (self[-1], byte) {
        case (UInt8(ascii: "0"), UInt8(ascii: "0")...UInt8(ascii: "9")): "a number does not begin with 0"
        case (UInt8(ascii: "0"), UInt8(ascii: "x")), (UInt8(ascii: "0"), UInt8(ascii: "X")): "numbers are decimal"
        default: nil
        }
    }

    /// For a place where a number lacks a digit.
    var numberHint: String? {
        switch self[-1] {
        case UInt8(ascii: "."): return "digits stand on both sides of the point"
        case UInt8(ascii: "-") where byte == UInt8(ascii: "."): return "a number begins with a digit, as in -0.5"
        default: break
        }
        switch word.lowercased() {
        case "nan", "inf", "infinity": return "JSON has no such number"
        default: return nil
        }
    }

    var stringHint: String {
        switch byte {
        case 0x0A, 0x0D: "a string ends on its line; a line break in it is written \\n"
        case 0x09: "a tab in a string is written \\t"
        default: "a control character in a string is written \\u" + FailureContext.hex(UInt32(byte), digits: 4)
        }
    }

    var escapeHint: String {
        byte == UInt8(ascii: "'") ? "a single quote needs no backslash" : "a backslash itself is written \\\\"
    }

    /// What is still open at the place: an unfinished string, or the innermost container.
    var unclosed: String? {
        var walker = TextWalker(UnsafeBufferPointer(rebasing: bytes[..<offset]))
        var open: [(offset: Int, name: String)] = []
        walker.skipSpaceAndComments()
        while !walker.isAtEnd {
            let start = walker.offset
            switch walker.byte {
            case UInt8(ascii: "\""):
                walker.skipString()
                if walker.isAtEnd && isInString { open.append((start, "string")) }
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

    private var isInString: Bool {
        switch failure.expected {
        case .stringEnd, .escape, .hexDigit: true
        default: false
        }
    }
}
