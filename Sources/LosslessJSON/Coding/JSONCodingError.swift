internal import VisibleText

/// A mismatch between a JSON value and a Swift type, with its path.
///
/// Errors of a document include the location, for the person who edits the file: `server.json:3:11: error: "port" must
/// be a whole number, found "eighty"`.
public struct JSONCodingError: Error, JSONDiagnostic {
    /// The kind of error.
    public enum Code: String, Sendable {
        /// A value has the wrong type.
        case type
        /// A value has the right type but is invalid.
        case value
        /// A required value is missing.
        case missing
        /// A Swift value that JSON cannot represent, such as NaN.
        case unrepresentable
    }

    /// The kind of error.
    public let code: Code

    /// The path of the value.
    public let path: JSONPointer

    /// The message, on one line, including the path. Safe to print to a terminal, whatever the text contains.
    public internal(set) var message: String

    /// The original error: Swift's own from a coder, or any error that a type threw.
    public let underlying: any Error

    /// The location in the text, if the text is known.
    public private(set) var location: JSONLocation?

    /// The line in the text, if the text is known.
    public internal(set) var excerpt: JSONExcerpt?

    /// Always `.error`.
    public var severity: JSONSeverity { .error }

    init(_ code: Code, _ path: JSONPointer, _ reason: String, underlying: any Error) {
        self.code = code
        self.path = path
        self.underlying = underlying
        message = path.subject + " " + reason.visible(upTo: 1_000)
    }

    /// The same error of a value that is a part of another one, at `pointer`.
    package func moved(under pointer: JSONPointer) -> JSONCodingError {
        var moved = JSONCodingError(code, JSONPointer(pointer.tokens + path.tokens), "", underlying: underlying)
        moved.message = moved.path.subject + message.dropFirst(path.subject.count)
        return moved
    }
}

extension JSONDocument {
    /// Adds the location in this document to an error: that of the value or, if it is missing, of the object that lacks
    /// it.
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

/// An error for a type or a conversion to throw when a value violates its requirements.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///     let number = try decoder.singleValueContainer().decode(Int.self)
///     guard number > 1023 else { throw JSONMismatch(expected: "a port above 1023") }
///     ...
/// }
/// ```
///
/// The resulting message is `"port" must be a port above 1023, found 80`.
public struct JSONMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the value must be, with an article: "a port above 1023".
    public let expected: String

    /// Creates an error that states what the value must be.
    public init(expected: String) { self.expected = expected }

    /// The requirement, without a subject: `must be a port above 1023`.
    public var description: String { "must be \(expected.visible(upTo: 1_000))" }
}

extension JSON {
    /// A short form for messages: scalars as spelled, containers by kind.
    var inMessage: String {
        switch self {
        case .array, .object: return kind
        default: break
        }
        return text(upTo: 48)
    }

    /// The value on one line, truncated to `count` scalars and sanitized for terminals.
    package func text(upTo count: Int) -> String {
        // The longest escape of a scalar has twelve bytes.
        let beginning = PrinterState.print(self, in: .compact, stoppingAfter: 12 * count)
        return String(decoding: beginning, as: UTF8.self).visible(upTo: count)
    }
}
