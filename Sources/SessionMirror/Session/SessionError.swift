public import LosslessJSON
internal import VisibleText

/// An error of opening or using a session.
public struct SessionError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Sendable {
        /// The path cannot be watched.
        case cannotWatch
        /// The file is invalid, and the session was opened with ``SessionOptions/Start-swift.enum/requireValid``.
        case invalidFile
        /// The file is missing, and the session was opened with ``SessionOptions/Start-swift.enum/requireFile``.
        case missingFile
        /// The defaults cannot be encoded as JSON, or the session's check rejects them.
        case unusableDefaults
        /// The session is read-only or constant.
        case readOnly
        /// This process was forked from one that had sessions. It can only read them.
        case forked
        /// The session is closed.
        case closed
        /// The operation did not complete in time.
        case timedOut
        /// There is no directory for the file of a standard session.
        case noLocation
    }

    /// The kind of error.
    public let code: Code

    /// What failed and why, for people.
    public let message: String

    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    static var forked: SessionError {
        SessionError(.forked, "a process that was forked can only read: open sessions after the fork, or use exec")
    }

    static var closed: SessionError { SessionError(.closed, "the session was closed") }

    static var closedWhileWaiting: SessionError {
        SessionError(.closed, "the session was closed before the condition was met")
    }

    static var conditionTimedOut: SessionError { SessionError(.timedOut, "the condition was not met in time") }

    static var readOnly: SessionError {
        SessionError(.readOnly, "this session is read-only: its value cannot be changed by the program")
    }

    /// Closing timed out.
    init(unsaved paths: [String], of file: String, after limit: Duration) {
        let names = paths.prefix(20).joined(separator: ", ")
        let what = names.isEmpty ? "" : "; not in the file: \(names)"
        self.init(.timedOut, "\(file): not saved within \(limit.components.seconds) s\(what)")
    }

    /// A file that does not meet ``SessionOptions/start-swift.property``.
    init(unusable problem: SessionProblem) { self.init(.invalidFile, problem.description, underlying: problem) }

    /// A missing file, where ``SessionOptions/Start-swift.enum/requireFile`` needs one.
    init(missing file: String) {
        self.init(.missingFile, "\(file.visible(upTo: 1_000)): the file does not exist, and this program needs it")
    }

    /// Creates an error, for tests of code that handles one.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.visible(upTo: 1_500)
        self.underlying = underlying
    }

    /// The problem of the file, if that is the reason.
    public var problem: SessionProblem? { underlying as? SessionProblem }

    /// The message; for a problem of the file with its line and a caret.
    public var description: String { problem?.fullDescription ?? message }
}

/// The error that a session's check throws to reject a value. It names the value, so that the problem has a location in
/// the file.
///
/// ```swift
/// let session = try Session(Server(), at: "server.json") { server in
///     if server.port < 1024 { throw ValidationError("must be 1024 or more", at: "port") }
/// }
/// ```
///
/// is reported as `server.json:3:11: error: "port" must be 1024 or more`.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the rejected value.
    public let path: JSONPointer

    /// The requirement that the value does not meet, as a sentence without its subject: `must be 1024 or more`.
    public let message: String

    /// Rejects the value at `path`, by default the whole value.
    public init(_ message: String, at path: JSONPointer = JSONPointer()) {
        self.message = message
        self.path = path
    }

    /// The path and the message.
    public var description: String {
        path.subject + " " + message.visible(upTo: 1_000)
    }
}
