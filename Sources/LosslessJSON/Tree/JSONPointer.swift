internal import VisibleText

/// A path from a value to one inside it: object keys and array indices.
///
/// A pointer is written in the syntax of RFC 6901, `/http/port`, where `~1` stands for a slash in a key and `~0` for a
/// tilde; the empty text is the root. A text that does not start with a slash is parsed as the dotted form,
/// `http.port`. Keys that contain dots require the first form.
///
/// In a literal, an interpolated value is one key, whatever it contains: `"users.\(name).limits"`.
public struct JSONPointer: Sendable {
    /// The keys and indices, starting at the root.
    public let tokens: [String]

    /// Creates a pointer from its tokens.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Parses either form.
    ///
    /// - Throws: ``JSONPointerError``.
    public init(parsing text: String) throws(JSONPointerError) {
        let (parts, areEscaped) = try JSONPointer.parts(of: text)
        var tokens: [String] = []
        for part in parts {
            tokens.append(
                areEscaped ? try JSONPointer.unescaped(part, of: text) : String(decoding: part, as: UTF8.self))
        }
        self.tokens = tokens
    }

    /// Splits the text of either form at its separators.
    static func parts(
        of text: String
    ) throws(JSONPointerError) -> (parts: [Substring.UTF8View], areEscaped: Bool) {
        if text.isEmpty { return ([], false) }
        if text.utf8.first == UInt8(ascii: "/") {
            let parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return (parts, true)
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else { throw JSONPointerError(text, .emptyName) }
        return (parts, false)
    }

    /// Replaces the escapes of a token. `~2` stands for an asterisk in patterns only.
    static func unescaped(
        _ part: Substring.UTF8View, of text: @autoclosure () -> String, inPattern: Bool = false
    ) throws(JSONPointerError) -> String {
        if !part.contains(UInt8(ascii: "~")) { return String(Substring(part)) }
        var result: [UInt8] = []
        var isAfterTilde = false
        for byte in part {
            switch (isAfterTilde, byte) {
            case (true, UInt8(ascii: "0")): result.append(UInt8(ascii: "~"))
            case (true, UInt8(ascii: "1")): result.append(UInt8(ascii: "/"))
            case (true, UInt8(ascii: "2")) where inPattern: result.append(UInt8(ascii: "*"))
            case (true, _): throw JSONPointerError(text(), .tilde, inPattern: inPattern)
            case (false, UInt8(ascii: "~")): break
            case (false, _): result.append(byte)
            }
            isAfterTilde = !isAfterTilde && byte == UInt8(ascii: "~")
        }
        if isAfterTilde { throw JSONPointerError(text(), .tilde, inPattern: inPattern) }
        return String(decoding: result, as: UTF8.self)
    }

    /// The pointer to a member or an element of the value at this pointer.
    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

    /// The pointer to an element of the array at this pointer.
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    /// The pointer to the enclosing container; nil for the root.
    public var parent: JSONPointer? { tokens.isEmpty ? nil : JSONPointer(tokens.dropLast()) }

    /// Whether this is the pointer to the root.
    public var isRoot: Bool { tokens.isEmpty }

    /// The dotted form if there is one, otherwise the form of RFC 6901. Keys are not sanitized for terminals; messages
    /// do that.
    public var dotted: String {
        let hasDottedForm = !tokens.isEmpty && tokens.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: ".")) }
        return hasDottedForm && tokens[0].utf8.first != UInt8(ascii: "/") ? tokens.joined(separator: ".") : description
    }

    /// The dotted form for messages: truncated if long, with characters that a terminal might interpret replaced.
    package var inMessage: String {
        let longest = 200
        let beginning = tokens.prefix(longest + 1).map { String($0.unicodeScalars.prefix(longest + 1)) }
        return JSONPointer(beginning).dotted.visible(upTo: longest)
    }

    /// The beginning of a sentence about the value: the path in quotation marks, or `the value` for the root.
    package var subject: String { isRoot ? "the value" : "\"\(inMessage)\"" }

    /// The array index that a token denotes: digits without leading zeros.
    static func index(_ token: String) -> Int? {
        let digits = token.utf8
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
        return Int(token)
    }
}

extension JSONPointer: Hashable {
    /// Whether two pointers have the same tokens, byte for byte.
    public static func == (a: JSONPointer, b: JSONPointer) -> Bool {
        a.tokens.elementsEqual(b.tokens) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes the tokens, byte for byte.
    public func hash(into hasher: inout Hasher) {
        for token in tokens {
            for byte in token.utf8 { hasher.combine(byte) }
            hasher.combine(0xFF as UInt8)
        }
    }
}

extension JSONPointer: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The form of RFC 6901.
    public var description: String {
        tokens.map { "/" + JSONPointer.escaped($0) }.joined()
    }

    static func escaped(_ token: String) -> String {
        let bytes = token.utf8.flatMap { byte in
            switch byte {
            case UInt8(ascii: "~"): Array("~0".utf8)
            case UInt8(ascii: "/"): Array("~1".utf8)
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses either form. Traps if the literal is not a pointer.
    public init(stringLiteral text: String) {
        do { try self.init(parsing: text) } catch { preconditionFailure(error.description) }
    }
}

/// The error in the text of a pointer or of a pattern.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable {
        /// Two consecutive dots, or a dot at either end.
        case emptyName = "empty-name"
        /// A tilde that is not followed by 0 or 1, or, in a pattern, by 2.
        case tilde
    }

    /// The kind of error.
    public let code: Code

    /// The text that could not be parsed.
    public let text: String

    private let inPattern: Bool

    init(_ text: String, _ code: Code, inPattern: Bool = false) {
        (self.text, self.code, self.inPattern) = (text, code, inPattern)
    }

    /// The error as one line of text.
    public var description: String {
        switch code {
        case .emptyName:
            "\"\(text.visible(upTo: 200))\" contains an empty name; write an empty key as /a//b"
        case .tilde:
            "\"\(text.visible(upTo: 200))\" has a tilde that is not followed by "
                + (inPattern ? "0 (for ~), 1 (for /) or 2 (for *)" : "0 (for ~) or 1 (for /)")
        }
    }
}
