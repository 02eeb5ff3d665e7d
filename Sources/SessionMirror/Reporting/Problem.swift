public import DurableFiles
public import LosslessJSON

/// What is wrong with the file, or what became of somebody's change, worded for the person who edits it.
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
        /// The program and somebody else changed the same value in different ways: one of them had to give way.
        case conflict
        /// Another program had written a value of the program's back to what it had been a moment before, and it was put
        /// in again.
        case restored
        /// A value of the program's was in the file, and is again what the program had replaced.
        case reverted
        /// What the program changed cannot be saved so far.
        case unsaved
        /// What the program changed has no form in JSON, or would not fit into the file.
        case unwritable
        /// Another program wrote something that cannot be merged, and lies beside the file now.
        case stranded
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

    /// The values it is about, where one took the place of another: what the program has or had is called ours, what
    /// somebody else wrote into the file theirs.
    ///
    /// - `conflict`: what both began with, what the program made of it, and what the file says.
    /// - `restored`: what was put in again is ours, what was found in its place theirs.
    /// - `reverted`: what the program had put into the file is ours, what is there instead theirs.
    public let values: JSONConflict?

    /// What the system refused, where it did.
    public let cause: FileError?

    init(
        code: Code, file: String, path: JSONPointer? = nil, message: String, location: JSONLocation? = nil,
        excerpt: JSONExcerpt? = nil, values: JSONConflict? = nil, cause: FileError? = nil
    ) {
        (self.code, self.file, self.path, self.message) = (code, file, path, message)
        (self.location, self.excerpt, self.values, self.cause) = (location, excerpt, values, cause)
    }
}

extension Problem: JSONDiagnostic {
    /// A warning where a value took the place of another, an error where something cannot be used or saved.
    public var severity: JSONSeverity { values == nil ? .error : .warning }

    /// `FILE:LINE:COLUMN: error: MESSAGE` with the excerpt below.
    public var description: String { report(file: file) }
}

extension Problem {
    init(_ code: Code, _ file: String, _ message: String) {
        self.init(code: code, file: file, message: message)
    }

    init(_ code: Code, _ file: String, at path: JSONPointer? = nil, _ diagnostic: some JSONDiagnostic) {
        self.init(
            code: code, file: file, path: path, message: diagnostic.message, location: diagnostic.location,
            excerpt: diagnostic.excerpt)
    }
}
