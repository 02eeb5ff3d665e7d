extension JSONPointer: ExpressibleByStringInterpolation {
    /// The text and the keys of a pointer such as `"limits.\(name).burst"`.
    ///
    /// An interpolated value is one key, or a part of one, whatever it contains: `"users.\(name)"` has two keys even if
    /// the name has dots, slashes or tildes, or is empty. The text around it is in one of the two forms of
    /// ``JSONPointer``; that it starts with `/` selects the form of RFC 6901.
    public struct StringInterpolation: StringInterpolationProtocol {
        private enum Segment {
            case text(String)
            case key(String)
        }

        private var segments: [Segment] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {
            segments.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Appends text in the syntax of the pointer.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { segments.append(.text(literal)) }
        }

        /// Appends a name or an index, such as a `String`, a `Substring` or an `Int`.
        public mutating func appendInterpolation(_ key: some CustomStringConvertible) {
            segments.append(.key(key.description))
        }

        /// Appends the name of a coding key.
        public mutating func appendInterpolation(_ key: some CodingKey) { segments.append(.key(key.stringValue)) }

        /// Not available: a pointer is a path, and an interpolated value is one key.
        @available(*, unavailable, message: "A pointer is more than one key. Append keys to it: pointer.appending(key)")
        public mutating func appendInterpolation(_ pointer: JSONPointer) {}
    }

    /// Creates a pointer from an interpolated literal. Traps if its text is not a pointer.
    public init(stringInterpolation: StringInterpolation) {
        do { self.init(try stringInterpolation.tokens()) } catch { preconditionFailure(error.description) }
    }
}

extension JSONPointer.StringInterpolation {
    func tokens() throws(JSONPointerError) -> [String] {
        guard case .text(let first)? = segments.first, first.utf8.first == UInt8(ascii: "/") else {
            return segments.isEmpty ? [] : try tokens(separatedBy: UInt8(ascii: "."))
        }
        // The first token is what precedes the first slash.
        return Array(try tokens(separatedBy: UInt8(ascii: "/")).dropFirst())
    }

    private func tokens(separatedBy separator: UInt8) throws(JSONPointerError) -> [String] {
        var tokens: [String] = []
        var token = ""
        var hasKey = false
        for segment in segments {
            switch segment {
            case .key(let key):
                token += key
                hasKey = true
            case .text(let text):
                let parts = text.utf8.split(separator: separator, omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated() {
                    if index > 0 {
                        tokens.append(try checked(token, hasKey, separator))
                        (token, hasKey) = ("", false)
                    }
                    let isEscaped = separator == UInt8(ascii: "/")
                    token += isEscaped ? try JSONPointer.unescaped(part, of: description) : String(Substring(part))
                }
            }
        }
        return tokens + [try checked(token, hasKey, separator)]
    }

    /// An empty name is an error in the dotted form, unless it was interpolated.
    private func checked(_ token: String, _ hasKey: Bool, _ separator: UInt8) throws(JSONPointerError) -> String {
        if token.isEmpty && !hasKey && separator == UInt8(ascii: ".") {
            throw JSONPointerError(description, .emptyName)
        }
        return token
    }

    private var description: String {
        segments.map { segment in
            switch segment {
            case .text(let text), .key(let text): text
            }
        }.joined()
    }
}
