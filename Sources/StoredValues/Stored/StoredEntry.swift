internal import LosslessJSON
internal import SessionMirror

/// What a file has for a stored value.
@usableFromInline
struct StoredEntry<Value: Codable & Sendable>: Sendable {
    /// The value; nil if the file has none. The last usable one, if there is an error.
    @usableFromInline let value: Value?
    /// The node that the value or the error belongs to.
    let node: JSON?
    /// Why the node cannot be decoded.
    let error: JSONCodingError?

    /// Of a file without the value.
    static var missing: StoredEntry { StoredEntry(value: nil, node: nil, error: nil) }
}
