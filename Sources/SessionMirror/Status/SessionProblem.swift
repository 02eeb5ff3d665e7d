public import DurableFiles
public import LosslessJSON
internal import VisibleText

/// A problem of the file, or of merging and saving changes, worded for the person who edits the file.
///
/// ```
/// server.json:3:11: error: "port" must be a whole number, found "eighty"
///   "port": "eighty",
///           ^
/// ```
public struct SessionProblem: Error, Sendable, Hashable {
    /// The kind of a problem.
    public enum Code: String, Sendable {
        /// The text is not valid JSON.
        case syntax
        /// A value has the wrong type, is missing, or was rejected by the session's check.
        case value
        /// The system does not allow this process to read the file.
        case unreadable
        /// The path is a directory, a pipe or a device.
        case notAFile
        /// The file is larger than the session's limit.
        case tooLarge
        /// The file changed each time it was read.
        case unstable
        /// The program and another writer changed the same value in different ways, and one of the changes was discarded.
        case conflict
        /// Another program reverted a value shortly after this program had saved it, and the value was restored.
        case restored
        /// Another program reverted a value that this program had saved.
        case reverted
        /// The program's changes could not be saved yet.
        case unsaved
        /// The program's value cannot be encoded as JSON, or would exceed the limits of the file.
        case unwritable
        /// Another program wrote something that cannot be merged. It was kept beside the file.
        case unmerged
        /// Another program still has a replaced version of the file open. Anything it writes there is lost; it may also
        /// only be reading.
        case stillOpen
    }

    /// The kind of problem.
    public let code: Code

    /// The path of the file, as passed to the session.
    public let file: String

    /// The path of the value concerned, if there is one.
    public let path: JSONPointer?

    /// The description of the problem, on one line, safe for terminals and logs: long keys and values in it are truncated,
    /// and control characters are replaced.
    public let message: String

    /// The location in the file, if known.
    public let location: JSONLocation?

    /// The line concerned, if known.
    public let excerpt: JSONExcerpt?

    /// The values concerned, if one replaced another. The program's value is called ours, the other writer's theirs.
    ///
    /// - `conflict`: The common base, the program's value, and the value of the file.
    /// - `restored`: The restored value is ours, the stale value found in its place theirs.
    /// - `reverted`: The value that the program had saved is ours, the current value of the file theirs.
    public let values: JSONConflict?

    /// The error of the system, if there is one.
    public let cause: FileError?

    init(
        code: Code, file: String, path: JSONPointer? = nil, message: String, location: JSONLocation? = nil,
        excerpt: JSONExcerpt? = nil, values: JSONConflict? = nil, cause: FileError? = nil
    ) {
        (self.code, self.file, self.path) = (code, file, path)
        self.message = message.visible(upTo: 1_500)
        (self.location, self.excerpt, self.values, self.cause) = (location, excerpt, values, cause)
    }
}

extension SessionProblem: JSONDiagnostic {
    /// A warning if a value was replaced or may be lost; an error if something cannot be used or saved.
    public var severity: JSONSeverity { values == nil && code != .stillOpen ? .error : .warning }

    /// `FILE:LINE:COLUMN: error: MESSAGE`, followed by the excerpt.
    public var description: String { report(file: file) }
}

extension SessionProblem {
    /// Whether a reader cannot distinguish the two problems. Does not compare the values, which may be large.
    func readsLike(_ other: SessionProblem) -> Bool {
        code == other.code && path == other.path && message == other.message
    }

    init(_ code: Code, _ file: String, _ message: String) {
        self.init(code: code, file: file, message: message)
    }

    init(_ code: Code, _ file: String, at path: JSONPointer? = nil, _ diagnostic: some JSONDiagnostic) {
        self.init(
            code: code, file: file, path: path, message: diagnostic.message, location: diagnostic.location,
            excerpt: diagnostic.excerpt)
    }
}
