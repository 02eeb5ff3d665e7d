/// Why a session cannot be opened, or cannot do what it was asked.
public struct SessionError: Error, Sendable, CustomStringConvertible {
    /// What kind of error.
    public enum Code: String, Sendable {
        /// The path cannot be watched.
        case cannotWatch
        /// The defaults have no form in JSON, or do not pass the session's own check.
        case unusableDefaults
        /// The value of this session cannot be changed by the program.
        case readOnly
        /// This process was forked from one that had sessions: it may read those, and nothing else.
        case forked
        /// The session was closed.
        case closed
        /// What was waited for did not come in time.
        case timedOut
    }

    /// What kind of error.
    public let code: Code

    /// What is the matter, in words.
    public let message: String

    /// What was thrown below, if anything was.
    public let underlying: (any Error)?

    static var forked: SessionError {
        SessionError(.forked, "a process that was forked can only read: open sessions after the fork, or use exec")
    }

    static var closed: SessionError { SessionError(.closed, "the session was closed") }

    static var readOnly: SessionError {
        SessionError(.readOnly, "this session is read-only: its value cannot be changed by the program")
    }

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The words.
    public var description: String { message }
}
