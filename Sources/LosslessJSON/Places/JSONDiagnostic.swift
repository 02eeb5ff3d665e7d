/// Something to tell a person about a text: an error or a warning, with the place it is about.
public protocol JSONDiagnostic: Sendable, CustomStringConvertible {
    /// How serious it is.
    var severity: JSONSeverity { get }

    /// What is the matter, on one line, without the place.
    var message: String { get }

    /// Where, if that is known.
    var location: JSONLocation? { get }

    /// The line it is about, if that is known.
    var excerpt: JSONExcerpt? { get }
}

/// How serious a diagnostic is.
public enum JSONSeverity: String, Sendable {
    /// The text cannot be used.
    case error
    /// The text can be used, but somebody may have meant something else.
    case warning
}

extension JSONDiagnostic {
    /// The place, if known, and the message, on one line: `3:7: expected a value, found "}"`.
    public var description: String { location.map { "\($0): \(message)" } ?? message }

    /// The form that compilers use and editors understand, `FILE:LINE:COLUMN: error: MESSAGE`, with the excerpt below.
    public func report(file: String) -> String {
        let place = location.map { "\(file):\($0)" } ?? file
        let headline = "\(place): \(severity.rawValue): \(message)"
        return excerpt.map { "\(headline)\n\($0)" } ?? headline
    }
}
