/// A JSON value parsed by the simple, slow ``ReferenceParser``. Shares no code with the library.
enum ReferenceJSON: Equatable {
    case null
    case bool(Bool)
    /// As spelled in the text.
    case number(String)
    /// Decoded.
    case string([UInt8])
    case array([ReferenceJSON])
    /// In text order, including duplicate keys.
    case object([Member])

    struct Member: Equatable {
        let key: [UInt8]
        let value: ReferenceJSON
    }

    /// The value of a text; nil if it is invalid.
    init?(parsing text: [UInt8], isLenient: Bool, depthLimit: Int = 512) {
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        let hasMark = text.starts(with: [0xEF, 0xBB, 0xBF])
        var parser = ReferenceParser(
            rest: hasMark ? text.dropFirst(3) : text[...], isLenient: isLenient, depthLimit: depthLimit)
        guard let value = parser.value(depth: 0), parser.skip(), parser.rest.isEmpty else { return nil }
        self = value
    }
}

/// The grammar of RFC 8259 over valid UTF-8. Each rule consumes its match from the front of `rest`, or returns nil.
private struct ReferenceParser {
    var rest: ArraySlice<UInt8>
    let isLenient: Bool
    let depthLimit: Int

    mutating func take(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    /// Skips white space and, if allowed, comments. Returns false at an unterminated comment.
    mutating func skip() -> Bool {
        while true {
            if take(" ") || take("\t") || take("\n") || take("\r") { continue }
            guard isLenient else { return true }
            if take("//") {
                while let byte = rest.first, byte != 0x0A, byte != 0x0D { rest = rest.dropFirst() }
            } else if take("/*") {
                while !take("*/") {
                    if rest.isEmpty { return false }
                    rest = rest.dropFirst()
                }
            } else {
                return true
            }
        }
    }

    mutating func value(depth: Int) -> ReferenceJSON? {
        guard skip() else { return nil }
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if rest.first == UInt8(ascii: "\"") { return string().map { .string($0) } }
        if rest.first == UInt8(ascii: "[") { return array(depth: depth) }
        if rest.first == UInt8(ascii: "{") { return object(depth: depth) }
        return number()
    }

    mutating func array(depth: Int) -> ReferenceJSON? {
        guard depth < depthLimit, take("["), skip() else { return nil }
        if take("]") { return .array([]) }
        var elements: [ReferenceJSON] = []
        while true {
            guard let element = value(depth: depth + 1), skip() else { return nil }
            elements.append(element)
            if take("]") { return .array(elements) }
            guard take(","), skip() else { return nil }
            if isLenient && take("]") { return .array(elements) }
        }
    }

    mutating func object(depth: Int) -> ReferenceJSON? {
        guard depth < depthLimit, take("{"), skip() else { return nil }
        if take("}") { return .object([]) }
        var members: [ReferenceJSON.Member] = []
        while true {
            guard let key = string(), skip(), take(":"), let value = value(depth: depth + 1), skip() else { return nil }
            members.append(ReferenceJSON.Member(key: key, value: value))
            if take("}") { return .object(members) }
            guard take(","), skip() else { return nil }
            if isLenient && take("}") { return .object(members) }
        }
    }

    mutating func number() -> ReferenceJSON? {
        let start = rest
        _ = take("-")
        if !take("0") { guard digits() else { return nil } }
        if take(".") { guard digits() else { return nil } }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard digits() else { return nil }
        }
        return .number(String(decoding: start[..<rest.startIndex], as: UTF8.self))
    }

    mutating func digits() -> Bool {
        let start = rest.startIndex
        while let byte = rest.first, (0x30...0x39).contains(byte) { rest = rest.dropFirst() }
        return rest.startIndex > start
    }

    mutating func string() -> [UInt8]? {
        guard take("\"") else { return nil }
        var contents: [UInt8] = []
        while let byte = rest.first {
            if take("\"") { return contents }
            if byte < 0x20 { return nil }
            if byte == UInt8(ascii: "\\") {
                guard let scalar = escape() else { return nil }
                contents.append(contentsOf: String(Character(scalar)).utf8)
            } else {
                contents.append(byte)
                rest = rest.dropFirst()
            }
        }
        return nil
    }

    mutating func escape() -> Unicode.Scalar? {
        let simple: KeyValuePairs = [
            "\\\"": "\"", "\\\\": "\\", "\\/": "/", "\\b": "\u{8}", "\\f": "\u{C}", "\\n": "\n", "\\r": "\r",
            "\\t": "\t",
        ]
        for (escape, meaning) in simple where take(escape) { return meaning.unicodeScalars.first }
        guard let first = unit() else { return nil }
        guard (0xD800...0xDFFF).contains(first) else { return Unicode.Scalar(first) }
        guard first < 0xDC00, let second = unit(), (0xDC00...0xDFFF).contains(second) else { return nil }
        return Unicode.Scalar((first - 0xD800) * 0x400 + (second - 0xDC00) + 0x10000)
    }

    /// One `\uXXXX`.
    mutating func unit() -> UInt32? {
        guard take("\\u"), rest.count >= 4 else { return nil }
        let digits = rest.prefix(4)
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        rest = rest.dropFirst(4)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
