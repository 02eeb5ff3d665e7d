public import LosslessJSON

/// What is wrong with the file, worded for the person who edits it.
///
/// ```
/// server.json:3:11: error: "port" must be a whole number, found "eighty"
///   "port": "eighty",
///           ^
/// ```
public struct Problem: Error, Sendable, Hashable {
    /// What kind of problem.
    public enum Code: String, Sendable {
        /// The text is no JSON.
        case syntax
        /// A value has the wrong type, is missing, or was refused by the program.
        case value
        /// The system does not let this process read it.
        case unreadable
        /// It is a folder, a pipe or a device.
        case notAFile
        /// It is larger than the session's limit.
        case tooLarge
        /// It changed whenever it was read.
        case restless
    }

    /// What kind of problem.
    public let code: Code

    /// The path of the file, as the session was given it.
    public let file: String

    /// The path of the value in question, where it is about one.
    public let path: JSONPointer?

    /// What is the matter, on one line.
    public let message: String

    /// Where in the file, where that is known.
    public let location: JSONLocation?

    /// The line it is about, where that is known.
    public let excerpt: JSONExcerpt?
}

extension Problem: JSONDiagnostic {
    /// Always an error.
    public var severity: JSONSeverity { .error }

    /// `FILE:LINE:COLUMN: error: MESSAGE` with the excerpt below.
    public var description: String { report(file: file) }
}

extension Problem {
    init(_ code: Code, _ file: String, _ message: String) {
        self.init(code: code, file: file, path: nil, message: message, location: nil, excerpt: nil)
    }

    init(_ code: Code, _ file: String, at path: JSONPointer? = nil, _ diagnostic: some JSONDiagnostic) {
        self.init(
            code: code, file: file, path: path, message: diagnostic.message, location: diagnostic.location,
            excerpt: diagnostic.excerpt)
    }
}
