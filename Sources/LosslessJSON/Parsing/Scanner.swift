/// Scans a text in one pass, without recursion, and reports its tokens to a ``TreeBuilder``.
///
/// The scanner consists of two nested loops: the outer one is at the start of a value, the inner one after a value.
/// Extensions of RFC 8259 (comments, trailing commas) are looked for only at unexpected tokens, so that they cost a
/// plain JSON text nothing.
struct Scanner {
    typealias Bytes = UnsafePointer<UInt8>

    let base: Bytes
    let end: Bytes
    let isLenient: Bool
    let depthLimit: Int

    init(_ source: Source, _ options: JSONDocument.Options) {
        base = Bytes(source.elements)
        end = base + source.count
        isLenient = options.dialect == .jsonc
        depthLimit = options.depthLimit
    }

    /// Scans the whole text. If it `isPart` of another one, it must end with the value.
    @inline(never)
    func run(_ builder: inout TreeBuilder, isPart: Bool = false) throws(ScanFailure) -> JSON {
        var depth = 0
        var p = base
        if isByteOrderMark(p) { p += 3 }
        skipSpace(&p)

        scan: while true {
            switch p.pointee {
            case UInt8(ascii: "\""):
                let start = p + 1
                let hasEscapes = try string(&p)
                builder.string(start, p - start - 1, hasEscapes)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = p
                try number(&p)
                builder.number(start, p - start)
            case UInt8(ascii: "{"):
                guard depth < depthLimit else { throw failure(.depth, p) }
                p += 1
                skipSpace(&p)
                builder.begin(object: true)
                if p.pointee != UInt8(ascii: "}"), try key(&p, &builder) {
                    depth &+= 1
                    continue scan
                }
                p += 1
                builder.endObject()
            case UInt8(ascii: "["):
                guard depth < depthLimit else { throw failure(.depth, p) }
                p += 1
                skipSpace(&p)
                builder.begin(object: false)
                if p.pointee != UInt8(ascii: "]") {
                    depth &+= 1
                    continue scan
                }
                p += 1
                builder.endArray()
            case UInt8(ascii: "t"): builder.literal(try literal(&p, 0x6575_7274, 4, .bool(true)))
            case UInt8(ascii: "n"): builder.literal(try literal(&p, 0x6C6C_756E, 4, .null))
            case UInt8(ascii: "f"): builder.literal(try literal(&p, 0x65_736C_6166, 5, .bool(false)))
            case UInt8(ascii: "/") where isLenient && isComment(p):
                try skipSpaceAndComments(&p)
                continue scan
            case UInt8(ascii: "]") where isLenient && depth > 0 && !builder.isInObject:
                // After a trailing comma, or after nothing but comments.
                p += 1
                depth &-= 1
                builder.endArray()
            default: throw failure(.value, p)
            }

            while depth > 0 {
                skipSpace(&p)
                let inObject = builder.isInObject
                let byte = p.pointee
                if byte == UInt8(ascii: ",") {
                    p += 1
                    skipSpace(&p)
                    if !inObject { continue scan }
                    if try key(&p, &builder) { continue scan }
                } else if byte != (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    guard isLenient, isComment(p) else {
                        throw failure(inObject ? .commaOrBrace : .commaOrBracket, p)
                    }
                    try skipSpaceAndComments(&p)
                    continue
                }
                p += 1
                depth &-= 1
                if inObject { builder.endObject() } else { builder.endArray() }
            }
            break
        }
        if !isPart {
            if isLenient { try skipSpaceAndComments(&p) } else { skipSpace(&p) }
        }
        if p != end { throw failure(.endOfText, p) }
        return builder.finish()
    }

    func isByteOrderMark(_ p: Bytes) -> Bool { p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF }

    func failure(_ expected: ScanFailure.Expected, _ p: Bytes) -> ScanFailure {
        ScanFailure(expected: expected, offset: min(p, end) - base)
    }

    /// Scans a key and its colon; false at a `}` after a trailing comma, or after nothing but comments.
    @inline(__always)
    private func key(_ p: inout Bytes, _ builder: inout TreeBuilder) throws(ScanFailure) -> Bool {
        if p.pointee != UInt8(ascii: "\"") {
            guard isLenient else { throw failure(.key, p) }
            try skipSpaceAndComments(&p)
            if p.pointee == UInt8(ascii: "}") { return false }
            guard p.pointee == UInt8(ascii: "\"") else { throw failure(.key, p) }
        }
        let start = p + 1
        let hasEscapes = try string(&p)
        builder.key(start, p - start - 1, hasEscapes)
        skipSpace(&p)
        if p.pointee != UInt8(ascii: ":") {
            if isLenient { try skipSpaceAndComments(&p) }
            guard p.pointee == UInt8(ascii: ":") else { throw failure(.colon, p) }
        }
        p += 1
        skipSpace(&p)
        return true
    }

    @inline(__always)
    private func literal(
        _ p: inout Bytes, _ word: UInt64, _ count: Int, _ value: JSON
    ) throws(ScanFailure) -> JSON {
        let mask = (UInt64(1) &<< UInt64(count &* 8)) &- 1
        guard UnsafeRawPointer(p).loadUnaligned(as: UInt64.self) & mask == word else { throw failure(.value, p) }
        p += count
        return value
    }
}

/// The offset at which a scanner stopped, and what it expected there.
struct ScanFailure: Error {
    enum Expected {
        case value, key, colon, commaOrBrace, commaOrBracket, endOfText
        case digit, stringEnd, escape, hexDigit, lowSurrogate, utf8, commentEnd
        case depth, size
    }

    let expected: Expected
    let offset: Int

    /// Whether the scan ended because the text has no value, only white space and comments.
    func isEnd(ofBlankText bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard expected == .value, offset == bytes.count else { return false }
        var cursor = TextCursor(bytes)
        cursor.skipSpaceAndComments()
        return cursor.isAtEnd
    }
}
