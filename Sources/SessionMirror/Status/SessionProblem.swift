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
    /// The kind of a problem, with the values that belong to it.
    public enum Code: Sendable, Hashable {
        /// The text is not valid JSON.
        case syntax
        /// A value has the wrong type, is missing, or was rejected by the session's check.
        case value
        /// The type of the session's value has no such key; with the nearest key that it has, if one is near. See
        /// ``SessionOptions/unknownKeys-swift.property``.
        case unknownKey(suggestion: String?)
        /// An object has a key more than once, and the last one counts; with the location of the one that does not.
        case duplicateKey(ignored: JSONLocation)
        /// The program reads a value as a type that it does not have, and gets nil: see
        /// ``Session/subscript(_:as:)``.
        case mismatch(found: JSON)
        /// The system does not allow this process to read the file.
        case unreadable
        /// The path is a directory, a pipe or a device.
        case notAFile
        /// The file is larger than the session's limit.
        case tooLarge
        /// The file changed each time it was read.
        case unstable
        /// The program and another writer changed the same value in different ways, and one of the changes was
        /// discarded: the common base, the program's value (ours) and the value of the file (theirs).
        case conflict(JSONConflict)
        /// Another program reverted a value shortly after this program had saved it, and the value was restored: the
        /// restored value is ours, the stale value found in its place theirs.
        case restored(JSONConflict)
        /// Another program reverted a value that this program had saved: that value is ours, the current value of the
        /// file theirs.
        case reverted(JSONConflict)
        /// The program's changes could not be saved yet.
        case unsaved
        /// The program's value cannot be encoded as JSON, or would exceed the limits of the file.
        case unwritable
        /// Another program wrote something that cannot be merged. It was kept beside the file.
        case unmerged
        /// The program assigned a value that was rejected, by the session's check for example. It has no effect.
        case rejectedAssignment
        /// Another program still has a replaced version of the file open. Anything it writes there is lost; it may also
        /// only be reading.
        case stillOpen
    }

    /// Boxed, because a status has room for several problems and is copied at each update.
    private let fields: Box<Fields>

    private struct Fields: Sendable, Hashable {
        let code: Code
        let file: String
        let path: JSONPointer?
        let message: String
        let location: JSONLocation?
        let excerpt: JSONExcerpt?
        let cause: FileError?
    }

    /// The kind of problem, with the values that belong to it.
    public var code: Code { fields.value.code }

    /// The path of the file, as passed to the session.
    public var file: String { fields.value.file }

    /// The path of the value concerned, if there is one.
    public var path: JSONPointer? { fields.value.path }

    /// The description of the problem, on one line, safe for terminals and logs: long keys and values in it are
    /// truncated, and control characters are replaced.
    public var message: String { fields.value.message }

    /// The location in the file, if known.
    public var location: JSONLocation? { fields.value.location }

    /// The line concerned, if known.
    public var excerpt: JSONExcerpt? { fields.value.excerpt }

    /// The error of the system, if there is one.
    public var cause: FileError? { fields.value.cause }

    /// Creates a problem, for tests of code that handles one.
    public init(
        _ code: Code, in file: String, at path: JSONPointer? = nil, _ message: String, location: JSONLocation? = nil,
        excerpt: JSONExcerpt? = nil, cause: FileError? = nil
    ) {
        let message = message.visible(upTo: 1_500)
        fields = Box(
            Fields(
                code: code, file: file, path: path, message: message, location: location, excerpt: excerpt, cause: cause
            ))
    }

    /// Whether all properties are equal.
    public static func == (a: SessionProblem, b: SessionProblem) -> Bool {
        a.fields === b.fields || a.fields.value == b.fields.value
    }

    /// Hashes all properties.
    public func hash(into hasher: inout Hasher) { fields.value.hash(into: &hasher) }
}

extension SessionProblem: JSONDiagnostic {
    /// A warning if the file can be used but a value was replaced, is ignored or may be lost; an error if something
    /// cannot be used or saved.
    public var severity: JSONSeverity {
        switch code {
        case .conflict, .restored, .reverted, .stillOpen, .unknownKey, .duplicateKey, .mismatch: .warning
        case .syntax, .value, .unreadable, .notAFile, .tooLarge, .unstable, .unsaved, .unwritable, .unmerged,
            .rejectedAssignment:
            .error
        }
    }

    /// `FILE:LINE:COLUMN: error: MESSAGE`, on one line, for logs.
    public var description: String { headline(file: file) }

    /// The description and the line of the file with a caret, for people.
    public var fullDescription: String { report(file: file) }
}

extension SessionProblem.Code: CustomStringConvertible {
    /// The name of the case, without the values.
    public var description: String { name }

    /// The name of the case, for logs and machine-readable output: `conflict`.
    public var name: String {
        switch self {
        case .syntax: "syntax"
        case .value: "value"
        case .unknownKey: "unknownKey"
        case .duplicateKey: "duplicateKey"
        case .mismatch: "mismatch"
        case .unreadable: "unreadable"
        case .notAFile: "notAFile"
        case .tooLarge: "tooLarge"
        case .unstable: "unstable"
        case .conflict: "conflict"
        case .restored: "restored"
        case .reverted: "reverted"
        case .unsaved: "unsaved"
        case .unwritable: "unwritable"
        case .unmerged: "unmerged"
        case .rejectedAssignment: "rejectedAssignment"
        case .stillOpen: "stillOpen"
        }
    }

    /// The values concerned, if one replaced another.
    package var values: JSONConflict? {
        switch self {
        case .conflict(let values), .restored(let values), .reverted(let values): values
        default: nil
        }
    }
}

extension SessionProblem {
    /// Whether a reader cannot distinguish the two problems. Does not compare the values, which may be large.
    func readsLike(_ other: SessionProblem) -> Bool {
        code.name == other.code.name && path == other.path && message == other.message
    }

    init(_ code: Code, in file: String, at path: JSONPointer? = nil, _ diagnostic: some JSONDiagnostic) {
        self.init(
            code, in: file, at: path, diagnostic.message, location: diagnostic.location, excerpt: diagnostic.excerpt)
    }
}
