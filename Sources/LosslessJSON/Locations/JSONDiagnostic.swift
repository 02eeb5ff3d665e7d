internal import VisibleText

/// An error or a warning about a text, for people to read.
public protocol JSONDiagnostic: Sendable, CustomStringConvertible {
    var severity: JSONSeverity { get }

    /// The description, on one line, without the location.
    var message: String { get }

    /// The location, if known.
    var location: JSONLocation? { get }

    /// The line with the location, if known.
    var excerpt: JSONExcerpt? { get }
}

/// The severity of a diagnostic.
public enum JSONSeverity: String, Sendable {
    /// The text cannot be used.
    case error
    /// The text can be used, but probably does not mean what its author intended.
    case warning
}

extension JSONDiagnostic {
    /// The location, if known, and the message, on one line: `3:7: expected a value, found "}"`.
    public var description: String { location.map { "\($0): \(message.visible)" } ?? message.visible }

    /// Formats the diagnostic as compilers do, `FILE:LINE:COLUMN: error: MESSAGE`, followed by the excerpt.
    ///
    /// Characters that a terminal might interpret are replaced in the whole report, including the file name.
    public func report(file: String) -> String {
        let headline = headline(file: file)
        return excerpt.map { "\(headline)\n\($0)" } ?? headline
    }

    /// The first line of the report.
    package func headline(file: String) -> String {
        let file = file.visible(upTo: 1_000)
        let origin = location.map { "\(file):\($0)" } ?? file
        return "\(origin): \(severity.rawValue): \(message.visible)"
    }
}

/// A warning about a valid text.
public struct JSONWarning: JSONDiagnostic, Hashable {
    /// The kind of warning.
    public enum Code: String, Sendable {
        /// An object contains a key more than once; the last one counts.
        case duplicateKey = "duplicate-key"
    }

    /// The kind of warning.
    public let code: Code

    /// The path of the member.
    public let path: JSONPointer

    /// The message, on one line.
    public let message: String

    /// The location of the key that counts.
    public let location: JSONLocation?

    /// The location of the previous occurrence, which is ignored.
    public let earlier: JSONLocation

    /// The line of the key that counts; nil if ``JSONSecrets`` removed it.
    public internal(set) var excerpt: JSONExcerpt?

    /// Always `.warning`.
    public var severity: JSONSeverity { .warning }

    static func duplicateKey(
        _ path: JSONPointer, at location: JSONLocation, earlier: JSONLocation, _ excerpt: JSONExcerpt
    ) -> JSONWarning {
        let key = JSON(path.tokens.last ?? "").inMessage
        return JSONWarning(
            code: .duplicateKey, path: path,
            message: "duplicate key \(key); the earlier one at \(earlier) is ignored",
            location: location, earlier: earlier, excerpt: excerpt)
    }
}
