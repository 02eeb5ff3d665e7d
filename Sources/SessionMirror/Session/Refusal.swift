public import LosslessJSON

/// Thrown by a session's own check to say which value it refuses, so that the problem has a place in the file.
///
/// ```swift
/// let session = try Session(Server(), at: "server.json") { server in
///     if server.port < 1024 { throw Refusal("must be 1024 or more", at: "port") }
/// }
/// ```
///
/// becomes `server.json:3:11: error: "port" must be 1024 or more`.
public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the value that is refused.
    public let path: JSONPointer

    /// What it must be instead, as a sentence without a subject.
    public let complaint: String

    /// A refusal of the value at `path`, by default of the whole.
    public init(_ complaint: String, at path: JSONPointer = JSONPointer()) {
        self.complaint = complaint
        self.path = path
    }

    /// The path and the complaint.
    public var description: String { (path.isRoot ? "the value" : "\"\(path.dotted)\"") + " " + complaint }
}
