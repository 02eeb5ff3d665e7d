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
        while !isAtEnd, byte != UInt8(ascii: "\"") { offset += byte == UInt8(ascii: "\\") ? 2 : 1 }
        offset = min(offset, bytes.count)
        defer { offset = min(offset + 1, bytes.count) }
        return start..<offset
    }

    /// Skips a value, starting at its first byte.
    mutating func skipValue() {
        var depth = 0
        repeat {
            switch byte {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                offset += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): offset += 1
            default: skipScalar()
            }
            if depth > 0 { skipSpaceAndComments() }
        } while depth > 0 && !isAtEnd
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
