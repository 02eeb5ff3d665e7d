/// A piece of what stands between the brackets of a container.
struct Piece {
    enum Kind {
        /// Spaces and tabs.
        case space
        /// A line feed, a carriage return, or both.
        case newline
        /// From `//` to the end of the line.
        case lineComment
        /// From `/*` to `*/`.
        case blockComment
        case comma
        /// A member or an element.
        case item
        /// What was not in the text.
        case new([UInt8])
    }

    /// Which of its two neighbours a comment is about.
    enum Owner {
        case left
        case right
        case nobody
    }

    let kind: Kind
    /// Where it stands in the text; empty for what is new.
    let range: Range<Int>
    var owner = Owner.nobody
    /// Whether it is left out of the new text.
    var isGone = false

    init(_ kind: Kind, _ range: Range<Int>) { (self.kind, self.range) = (kind, range) }

    init(new bytes: [UInt8]) { self.init(.new(bytes), 0..<0) }

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

extension Piece {
    /// The pieces of a range of a valid text in which there are no items.
    static func all(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Piece] {
        var pieces: [Piece] = []
        var walker = TextWalker(bytes, at: range.lowerBound)
        while walker.offset < range.upperBound {
            let start = walker.offset
            let kind = walker.skipPiece()
            pieces.append(Piece(kind, start..<walker.offset))
        }
        return pieces
    }
}

extension TextWalker {
    fileprivate mutating func skipPiece() -> Piece.Kind {
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
