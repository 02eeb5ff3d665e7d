/// What does not fit between a JSON value and a Swift type, and where.
///
/// With the document at hand it is worded for the person who edits the file:
/// `server.json:3:11: error: "port" must be a whole number, found "eighty"`.
public struct JSONCodingError: Error, JSONDiagnostic {
    /// What kind of error.
    public enum Code: String, Sendable {
        /// A value has another type than the one asked for.
        case type
        /// A value has the type asked for, but cannot be used.
        case value
        /// A value that must be there is not.
        case missing
        /// A Swift value has no form in JSON, such as a number that is none.
        case unrepresentable
    }

    /// What kind of error.
    public let code: Code

    /// The path of the value in question.
    public let path: JSONPointer

    /// What is the matter, on one line, the path included.
    public let message: String

    /// What was thrown on the way: by a coder as Swift's own error, or by a type as whatever it throws.
    public let underlying: any Error

    /// Where it is in the text, when the text is known.
    public private(set) var location: JSONLocation?

    /// The line it is in, when the text is known.
    public private(set) var excerpt: JSONExcerpt?

    /// Always an error.
    public var severity: JSONSeverity { .error }

    init(_ code: Code, _ path: JSONPointer, _ complaint: String, underlying: any Error) {
        self.code = code
        self.path = path
        self.underlying = underlying
        message = (path.isRoot ? "the value" : "\"\(path.dotted.visible)\"") + " " + complaint
    }
}

extension JSONDocument {
    /// An error about the value of this document, with its place in the text: that of the value, or where a value is
    /// missing, that of the object that lacks it.
    public func locating(_ error: JSONCodingError) -> JSONCodingError {
        var located = error
        let location = nearestLocation(of: error.path)
        located.locate(location, excerpt(at: location.offset))
        return located
    }
}

extension JSONCodingError {
    fileprivate mutating func locate(_ location: JSONLocation, _ excerpt: JSONExcerpt) {
        self.location = location
        self.excerpt = excerpt
    }
}

/// Thrown by a type or a conversion that wants a value to be something else.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///     let number = try decoder.singleValueContainer().decode(Int.self)
///     guard number > 1023 else { throw JSONMismatch(expected: "a port above 1023") }
///     ...
/// ```
///
/// becomes `"port" must be a port above 1023, found 80`.
public struct JSONMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the value must be, with an article: "a port above 1023".
    public let expected: String

    /// A mismatch that asks for something.
    public init(expected: String) { self.expected = expected }

    /// What the value must be, as a sentence without a subject.
    public var description: String { "must be \(expected)" }
}

extension JSON {
    /// The value in a few words, for messages: scalars as they are written, containers by their kind.
    var inMessage: String {
        switch self {
        case .array, .object: return kind
        default: break
        }
        let text = description.visible.unicodeScalars
        return text.count <= 48 ? String(text) : String(text.prefix(47)) + "…"
    }
}
