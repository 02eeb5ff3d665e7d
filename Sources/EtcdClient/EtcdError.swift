/// An error of a request to etcd: a code, and a message that says what is wrong at which endpoint and what to do.
public struct EtcdError: Error, Sendable, Hashable {
    /// The kind of an error. Only after ``uncertain``, ``invalidResponse`` and ``cancelled`` may a write have been applied.
    public enum Code: String, Sendable {
        /// No endpoint has received the request, so it is certainly not applied.
        case unreachable
        /// The request was sent, but there is no conclusive answer: a timeout, a lost connection, a change of the
        /// leader, a server error. A write may have been applied, or may still be.
        case uncertain
        /// The credentials are missing or wrong.
        case unauthenticated
        /// The user lacks the permission for the key.
        case permissionDenied
        /// The revision has been removed from the history.
        case compacted
        /// The member has no leader, and has not accepted the request.
        case noLeader
        /// The request exceeds the limit of the server, 1.5 MiB by default.
        case tooLarge
        /// The options or the files that they name cannot be used.
        case invalidOptions
        /// The answer is not what etcd sends, or too large.
        case invalidResponse
        /// Another definite error answer of the server, or a key that etcd or this client does not accept.
        case rejected
        /// The task was cancelled. A write may have been applied.
        case cancelled
    }

    /// The kind of the error.
    public let code: Code

    /// What is wrong, where, and what to do.
    public let message: String

    /// The first revision that still exists, after a watch from a compacted one.
    package let compactRevision: Int?

    /// Whether a new token may help: the server did not accept the one that was sent.
    let isStaleToken: Bool

    package init(_ code: Code, _ message: String, compactRevision: Int? = nil, isStaleToken: Bool = false) {
        self.code = code
        self.message = message
        self.compactRevision = compactRevision
        self.isStaleToken = isStaleToken
    }
}

extension EtcdError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension EtcdError {
    /// Whether the request was certainly not applied and another endpoint may accept it.
    var isCertainAndLocal: Bool { code == .unreachable || code == .noLeader }

    /// Whether the failure is one of the endpoint rather than of the request.
    var isOfEndpoint: Bool { isCertainAndLocal || code == .uncertain || code == .invalidResponse }
}
