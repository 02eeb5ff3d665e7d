/// A token between the brackets of a container.
struct Token {
    enum Kind {
        /// Spaces and tabs.
        case space
        /// LF, CR or CR LF.
        case newline
        /// `//` to the end of the line.
        case lineComment
        /// `/*` to `*/`.
        case blockComment
        case comma
        /// White space, line ends and comments in the middle of a very long run of tokens.
        case collapsed
        /// A member or an element.
        case item
        /// Text that is inserted.
        case inserted([UInt8])
    }

    /// The item that a comment belongs to.
    enum Owner {
        case previousItem
        case nextItem
        case unattached
    }

    let kind: Kind
    /// The range in the original text; empty for inserted text.
    let range: Range<Int>
    var owner = Owner.unattached
    /// Whether the new text omits the token.
    var isRemoved = false

    init(_ kind: Kind, _ range: Range<Int>) { (self.kind, self.range) = (kind, range) }

    init(inserting bytes: [UInt8]) { self.init(.inserted(bytes), 0..<0) }

    var isSpace: Bool { if case .space = kind { true } else { false } }
    var isNewline: Bool { if case .newline = kind { true } else { false } }
    var isComma: Bool { if case .comma = kind { true } else { false } }
    var isLineComment: Bool { if case .lineComment = kind { true } else { false } }

    var isComment: Bool {
        switch kind {
        case .lineComment, .blockComment: true
        default: false
        }
    }
}

extension Token {
    /// The tokens in a range of a valid text that contains no items.
    static func all(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Token] {
        var tokens: [Token] = []
        var cursor = TextCursor(bytes, at: range.lowerBound)
        while cursor.offset < range.upperBound {
            let start = cursor.offset
            let kind = cursor.skipToken()
            tokens.append(Token(kind, start..<cursor.offset))
            if tokens.count >= 4 * separateTokenCount { collapseMiddle(of: &tokens) }
        }
        return tokens
    }

    /// The number of tokens kept separate at each end of a very long run.
    private static let separateTokenCount = 1_000

    /// Replaces the tokens in the middle of a very long run by one: a text may consist of line ends alone, and a token
    /// takes far more memory than a line end. The collapsed token never ends with a line comment, because text inserted
    /// after it would become part of that comment. A comma remains separate.
    private static func collapseMiddle(of tokens: inout [Token]) {
        let last = tokens.count - separateTokenCount
        let end = tokens[last - 1].isLineComment ? last - 1 : last
        var joined: [Token] = []
        // The slice must not outlive the loop: it would make the replacement below copy the array.
        for part in tokens[separateTokenCount..<end].split(
            omittingEmptySubsequences: false, whereSeparator: \.isComma)
        {
            if let first = part.first, let last = part.last {
                joined.append(Token(.collapsed, first.range.lowerBound..<last.range.upperBound))
            }
            if part.endIndex < end { joined.append(tokens[part.endIndex]) }
        }
        tokens.replaceSubrange(separateTokenCount..<end, with: joined)
    }
}

extension TextCursor {
    fileprivate mutating func skipToken() -> Token.Kind {
        switch byte {
        case UInt8(ascii: ","):
            advance()
            return .comma
        case UInt8(ascii: "/"): return skipComment() ? .blockComment : .lineComment
        case 0x0D, 0x0A:
            let isReturn = byte == 0x0D
            advance()
            if isReturn && byte == 0x0A { advance() }
            return .newline
        default:
            while byte == 0x20 || byte == 0x09 { advance() }
            return .space
        }
    }
}
