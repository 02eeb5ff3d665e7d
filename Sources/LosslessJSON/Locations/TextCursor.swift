/// A cursor in a text that the scanner has accepted, in either dialect.
struct TextCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var offset = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    var isAtEnd: Bool { offset >= bytes.count }
    var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    var nextByte: UInt8 { offset + 1 < bytes.count ? bytes[offset + 1] : 0 }

    mutating func advance() { offset += 1 }

    mutating func skipSpaceAndComments() {
        while !isAtEnd {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case UInt8(ascii: "/"): skipComment()
            default: return
            }
        }
    }

    /// Skips a comment; returns whether it was a block comment.
    @discardableResult
    mutating func skipComment() -> Bool {
        let isBlock = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "*")
        offset = min(offset + 2, bytes.count)
        var previous: UInt8 = 0
        while !isAtEnd {
            let current = byte
            if !isBlock && (current == 0x0A || current == 0x0D) { return false }
            offset += 1
            if isBlock && previous == UInt8(ascii: "*") && current == UInt8(ascii: "/") { return true }
            previous = current
        }
        return isBlock
    }

    /// Skips a string, starting at the opening quote; returns the range of its contents.
    @discardableResult
    mutating func skipString() -> Range<Int> {
        let start = offset + 1
        offset = start
        while true {
            skip { ByteHits($0, UInt8(ascii: "\"")) | ByteHits($0, UInt8(ascii: "\\")) }
            if isAtEnd || byte == UInt8(ascii: "\"") { break }
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        offset = min(offset, bytes.count)
        defer { offset = min(offset + 1, bytes.count) }
        return start..<offset
    }

    /// Skips to the next string, bracket, comma or comment, or to the end.
    mutating func skipToStructure() {
        while !isAtEnd {
            // The brackets have these bits set, and so has no other byte between the tokens that are looked for. The
            // third one finds commas and the beginning of comments, and also signs and decimal points.
            skip {
                ByteHits($0, UInt8(ascii: "\"")) | ByteHits($0 | ByteHits.each(0x26), 0x7F)
                    | ByteHits($0 | ByteHits.each(0x03), UInt8(ascii: "/"))
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "{"), UInt8(ascii: "}"),
                UInt8(ascii: "["), UInt8(ascii: "]"):
                return
            default: offset = min(offset + 1, bytes.count)
            }
        }
    }

    @inline(__always)
    private mutating func skip(until hits: (UInt64) -> ByteHits) {
        offset = bytes.skip(from: offset, to: bytes.count, until: hits)
    }

    /// Skips a value, starting at its first byte.
    mutating func skipValue() {
        switch byte {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
        default: skipScalar()
        }
    }

    private mutating func skipContainer() {
        var depth = 0
        while !isAtEnd {
            switch byte {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "/"): skipComment()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                offset += 1
                if depth == 0 { return }
            default: offset += 1
            }
            skipToStructure()
        }
    }

    /// Skips a number or a literal.
    private mutating func skipScalar() {
        let start = offset
        while !isAtEnd, isWordByte { offset += 1 }
        if offset == start { offset += 1 }
    }

    private var isWordByte: Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
