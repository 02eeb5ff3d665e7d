extension Scanner {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    @inline(__always)
    private func word(_ p: Bytes) -> UInt64 { UnsafeRawPointer(p).loadUnaligned(as: UInt64.self) }

    // MARK: Between tokens

    @inline(__always)
    func skipSpace(_ p: inout Bytes) {
        while p.pointee <= 0x20 {
            switch p.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: p += 1
            default: return
            }
            if p.pointee > 0x20 { return }
            // Indentation: eight spaces at a time.
            while true {
                let others = word(p) ^ (Scanner.ones &* 0x20)
                if others == 0 {
                    p += 8
                } else {
                    p += others.trailingZeroBitCount &>> 3
                    break
                }
            }
        }
    }

    func isComment(_ p: Bytes) -> Bool {
        p[0] == UInt8(ascii: "/") && (p[1] == UInt8(ascii: "/") || p[1] == UInt8(ascii: "*"))
    }

    @inline(never)
    func skipSpaceAndComments(_ p: inout Bytes) throws(ScanFailure) {
        skipSpace(&p)
        while isComment(p) {
            if p[1] == UInt8(ascii: "/") { try skipLineComment(&p) } else { try skipBlockComment(&p) }
            skipSpace(&p)
        }
    }

    private func skipLineComment(_ p: inout Bytes) throws(ScanFailure) {
        p += 2
        while p < end, p.pointee != 0x0A, p.pointee != 0x0D { try skipCommentByte(&p) }
    }

    private func skipBlockComment(_ p: inout Bytes) throws(ScanFailure) {
        let start = p
        p += 2
        while !(p.pointee == UInt8(ascii: "*") && p[1] == UInt8(ascii: "/")) {
            guard p < end else { throw failure(.commentEnd, start) }
            try skipCommentByte(&p)
        }
        p += 2
    }

    @inline(__always)
    private func skipCommentByte(_ p: inout Bytes) throws(ScanFailure) {
        if p.pointee < 0x80 { p += 1 } else { try nonASCII(&p) }
    }

    // MARK: Numbers

    @inline(__always)
    func number(_ p: inout Bytes) throws(ScanFailure) {
        if p.pointee == UInt8(ascii: "-") { p += 1 }
        if p.pointee == UInt8(ascii: "0") { p += 1 } else { try digits(&p) }
        if p.pointee == UInt8(ascii: ".") {
            p += 1
            try digits(&p)
        }
        if p.pointee | 0x20 == UInt8(ascii: "e") {
            p += 1
            if p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
            try digits(&p)
        }
    }

    /// Requires at least one digit.
    @inline(__always)
    private func digits(_ p: inout Bytes) throws(ScanFailure) {
        let start = p
        while true {
            // A byte is a digit if its high nibble is 3, both before and after adding 6.
            let (high, threes) = (Scanner.ones &* 0xF0, Scanner.ones &* 0x30)
            let bytes = word(p)
            let others = ((bytes & high) ^ threes) | (((bytes &+ Scanner.ones &* 6) & high) ^ threes)
            if others == 0 {
                p += 8
            } else {
                p += others.trailingZeroBitCount &>> 3
                break
            }
        }
        if p == start { throw failure(.digit, p) }
    }

    /// Whether `bytes` are exactly one number.
    static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let source = Source.scannable(UnsafeRawBufferPointer(bytes))
        defer { extendLifetime(source) }
        let scanner = Scanner(source, JSONDocument.Options(dialect: .json))
        var p = scanner.base
        return (try? scanner.number(&p)) != nil && p == scanner.end
    }

    // MARK: Strings

    /// Skips a string, starting at the opening quote; returns whether it contains escapes.
    @inline(__always)
    func string(_ p: inout Bytes) throws(ScanFailure) -> Bool {
        p += 1
        var hasEscapes = false
        while true {
            // Eight bytes at a time: the high bit of each byte that is a quote, a backslash, a control character or not
            // ASCII. A borrow can only corrupt bytes after a hit, and only the first hit is used.
            let (ones, bytes) = (Scanner.ones, word(p))
            let quotes = (bytes ^ (ones &* 0x22)) &- ones
            let backslashes = (bytes ^ (ones &* 0x5C)) &- ones
            let hits = (quotes | backslashes | (bytes &- (ones &* 0x20)) | bytes) & (ones &* 0x80)
            if hits == 0 {
                p += 8
                continue
            }
            p += hits.trailingZeroBitCount &>> 3
            let byte = p.pointee
            if byte == UInt8(ascii: "\"") {
                p += 1
                return hasEscapes
            }
            if byte >= 0x80 {
                try nonASCII(&p)
            } else {
                guard byte == UInt8(ascii: "\\") else { throw failure(.stringEnd, p) }
                try escape(&p)
                hasEscapes = true
            }
        }
    }

    /// Skips one or more non-ASCII scalars, following Unicode's table of well-formed UTF-8.
    @inline(__always)
    private func nonASCII(_ p: inout Bytes) throws(ScanFailure) {
        repeat {
            let bytes = UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)
            if bytes & 0x00C0_C0F0 == 0x0080_80E0, bytes & 0x200F != 0, bytes & 0x200F != 0x200D {
                p += 3  // neither overlong nor a surrogate
            } else if bytes & 0xC0E0 == 0x80C0, bytes & 0x1E != 0 {
                p += 2
            } else {
                let (lead, second) = (bytes & 7, bytes &>> 8 & 0xFF)
                guard bytes & 0xC0C0_C0F8 == 0x8080_80F0,
                    lead == 0 ? second >= 0x90 : lead < 4 || lead == 4 && second < 0x90
                else { throw failure(.utf8, p) }
                p += 4
            }
        } while p.pointee >= 0x80
    }

    @inline(never)
    private func escape(_ p: inout Bytes) throws(ScanFailure) {
        switch p[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            p += 2
        case UInt8(ascii: "u"):
            let first = try hex(p + 2)
            if first & 0xFC00 == 0xD800 {
                guard p[6] == UInt8(ascii: "\\"), p[7] == UInt8(ascii: "u"), try hex(p + 8) & 0xFC00 == 0xDC00 else {
                    throw failure(.lowSurrogate, p)
                }
                p += 12
            } else {
                guard first & 0xFC00 != 0xDC00 else { throw failure(.lowSurrogate, p) }
                p += 6
            }
        default: throw failure(.escape, p + 1)
        }
    }

    private func hex(_ p: Bytes) throws(ScanFailure) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<4 {
            guard let digit = Escapes.hexDigit(p[index]) else { throw failure(.hexDigit, p + index) }
            value = value << 4 | digit
        }
        return value
    }
}
