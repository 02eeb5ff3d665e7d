internal import LosslessJSON
internal import SessionMirror

/// What a file has for a stored value.
@usableFromInline
struct StoredEntry<Value: Codable & Sendable>: Sendable {
    /// The value; nil if the file has none. The last usable one, if there is a problem.
    @usableFromInline let value: Value?
    /// The node that the value or the problem belongs to.
    let node: JSON?
    /// Why the node cannot be decoded.
    let problem: SessionProblem?

    /// Of a file without the value.
    static var missing: StoredEntry { StoredEntry(value: nil, node: nil, problem: nil) }
}
