/// A syntax error and its location.
public struct JSONSyntaxError: Error, JSONDiagnostic, Hashable {
    /// The kind of error.
    public enum Code: String, Sendable {
        /// An unexpected token.
        case unexpected
        /// The text ends prematurely.
        case unexpectedEnd = "unexpected-end"
        /// A number violates the syntax of JSON.
        case number
        /// A string contains a forbidden character or an invalid escape.
        case string
        /// A `\u` escape is one half of a surrogate pair without the other.
        case surrogate
        /// The bytes are not UTF-8.
        case encoding
        /// A comment, which this dialect does not allow.
        case comment
        /// A trailing comma, which this dialect does not allow.
        case trailingComma = "trailing-comma"
        /// The text is nested deeper than the options allow.
        case depth
        /// The text is longer than the options allow.
        case size
    }

    /// The kind of error.
    public let code: Code

    /// What the parser expected: `"," or "}"`.
    public let expected: String

    /// What the text contains instead: `"x"`, `the end of the text`.
    public internal(set) var found: String

    /// A suggestion for fixing the error, if there is one.
    public internal(set) var hint: String?

    /// The location of the error. If the text ends prematurely, that after its last character other than white space.
    public let position: JSONLocation

    /// The location of the error: ``position``.
    public var location: JSONLocation? { position }

    /// The line of the error; nil if ``JSONSecrets`` removed it.
    public internal(set) var excerpt: JSONExcerpt?

    /// Always `.error`.
    public var severity: JSONSeverity { .error }

    /// What was expected and what was found, on one line.
    public var message: String {
        let statement = "expected \(expected), found \(found)"
        return hint.map { "\(statement); \($0)" } ?? statement
    }

    init(_ failure: ScanFailure, in bytes: UnsafeBufferPointer<UInt8>, _ options: JSONDocument.Options) {
        let context = FailureContext(failure, bytes, options)
        (code, hint) = context.codeAndHint
        expected = context.expected
        found = context.found
        var counter = LineCounter(bytes)
        let offset = context.reportedOffset
        position = counter.location(of: offset)
        excerpt = JSONExcerpt(of: offset, in: bytes)
    }
}
