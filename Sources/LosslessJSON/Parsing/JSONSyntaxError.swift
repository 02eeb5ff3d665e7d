/// What is wrong with a text, and where.
public struct JSONSyntaxError: Error, JSONDiagnostic, Hashable {
    /// What kind of error.
    public enum Code: String, Sendable {
        /// Something else was expected here.
        case unexpected
        /// The text ends too early.
        case unexpectedEnd = "unexpected-end"
        /// A number is not spelled as JSON spells numbers.
        case number
        /// A string holds what no string can hold, or a wrong escape.
        case string
        /// A `\u` escape is half of a surrogate pair without the other half.
        case surrogate
        /// The bytes are not UTF-8.
        case encoding
        /// A comment, where none may stand.
        case comment
        /// A comma behind the last member or element, where none may stand.
        case trailingComma = "trailing-comma"
        /// More containers inside each other than the options allow.
        case depth
        /// More bytes than the options allow.
        case size
    }

    /// What kind of error.
    public let code: Code

    /// What should have stood here: `"," or "}"`.
    public let expected: String

    /// What stands here: `"x"`, `the end of the text`.
    public let found: String

    /// What to do about it, where that can be guessed.
    public let hint: String?

    /// Where it is.
    public let position: JSONLocation

    /// Where it is: ``position``.
    public var location: JSONLocation? { position }

    /// The line it is in: always there.
    public let excerpt: JSONExcerpt?

    /// Always an error.
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
        position = counter.location(of: failure.offset)
        excerpt = JSONExcerpt(of: failure.offset, in: bytes)
    }
}
