/// The way from a value to one inside it: keys of objects and indexes of arrays.
///
/// A pointer is written as RFC 6901 has it, `/http/port`, where `~1` stands for a slash in a key and `~0` for a tilde;
/// the empty text is the root. What does not begin with a slash is read as the dotted form that people type,
/// `http.port`. Keys that hold dots are reached by the first form.
public struct JSONPointer: Sendable {
    /// The keys and indexes, from the root down.
    public let tokens: [String]

    /// The pointer that follows `tokens`.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Reads either form.
    ///
    /// - Throws: what is wrong with the text.
    public init(parsing text: String) throws(JSONPointerError) {
        if text.isEmpty {
            tokens = []
        } else if text.utf8.first == UInt8(ascii: "/") {
            var tokens: [String] = []
            for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                tokens.append(try JSONPointer.unescaped(part, of: text))
            }
            self.tokens = tokens
        } else {
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty }) else { throw JSONPointerError(text, .emptyName) }
            tokens = parts.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func unescaped(_ part: Substring.UTF8View, of text: String) throws(JSONPointerError) -> String {
        var result: [UInt8] = []
        var isAfterTilde = false
        for byte in part {
            switch (isAfterTilde, byte) {
            case (true, UInt8(ascii: "0")): result.append(UInt8(ascii: "~"))
            case (true, UInt8(ascii: "1")): result.append(UInt8(ascii: "/"))
            case (true, _): throw JSONPointerError(text, .tilde)
            case (false, UInt8(ascii: "~")): break
            case (false, _): result.append(byte)
            }
            isAfterTilde = !isAfterTilde && byte == UInt8(ascii: "~")
        }
        if isAfterTilde { throw JSONPointerError(text, .tilde) }
        return String(decoding: result, as: UTF8.self)
    }

    /// The pointer to a member or an element of what this one points to.
    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

    /// The pointer to an element of what this one points to.
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    /// The pointer to what holds the value; nil for the root.
    public var parent: JSONPointer? { tokens.isEmpty ? nil : JSONPointer(tokens.dropLast()) }

    /// Whether this is the pointer to the whole value.
    public var isRoot: Bool { tokens.isEmpty }

    /// The dotted form where there is one, otherwise the form of RFC 6901: what to show to people.
    public var dotted: String {
        let hasDottedForm = !tokens.isEmpty && tokens.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: ".")) }
        return hasDottedForm && tokens[0].utf8.first != UInt8(ascii: "/") ? tokens.joined(separator: ".") : description
    }

    /// The array index that a token names: digits without leading zeros.
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

    /// Feeds the tokens to a hasher, byte for byte.
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

    private static func escaped(_ token: String) -> String {
        let bytes = token.utf8.flatMap { byte in
            switch byte {
            case UInt8(ascii: "~"): Array("~0".utf8)
            case UInt8(ascii: "/"): Array("~1".utf8)
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Either form. A literal that is no pointer traps.
    public init(stringLiteral text: String) {
        do { try self.init(parsing: text) } catch { preconditionFailure(error.description) }
    }
}

/// What is wrong with the text of a pointer.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of error.
    public enum Code: String, Sendable {
        /// Two dots without a name between them, or a dot at an end.
        case emptyName = "empty-name"
        /// A tilde that is not followed by 0 or 1.
        case tilde
    }

    /// What kind of error.
    public let code: Code

    /// The text that is no pointer.
    public let text: String

    init(_ text: String, _ code: Code) { (self.text, self.code) = (text, code) }

    /// What is wrong, on one line.
    public var description: String {
        switch code {
        case .emptyName:
            "\"\(text.visible)\" has an empty name between its dots; an empty key is reached by the form /a//b"
        case .tilde:
            "\"\(text.visible)\" has a tilde that is not followed by 0 (for ~) or 1 (for /)"
        }
    }
}
