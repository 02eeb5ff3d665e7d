/// One place at which two versions of a value differ.
public struct JSONChange: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable {
        /// A member or an element is new.
        case added
        /// A member or an element is gone.
        case removed
        /// Another value stands in the same place.
        case changed
    }

    /// Where. An element that was removed has the index it had, one that was added the index it has.
    public let path: JSONPointer

    /// The value before; nil when it was added.
    public let old: JSON?

    /// The value now; nil when it was removed.
    public let new: JSON?

    /// What happened.
    public var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }

    /// A change at a path: from nothing, which adds, or to nothing, which removes, or from one value to another.
    ///
    /// One of the two must be there.
    public init(at path: JSONPointer, from old: JSON?, to new: JSON?) {
        precondition(old != nil || new != nil, "a change from nothing to nothing")
        (self.path, self.old, self.new) = (path, old, new)
    }
}

extension JSONChange: CustomStringConvertible {
    /// The path and both values, on one line: `http.port: 8080 → 9090`.
    public var description: String {
        "\(path.dotted): \(old?.description ?? "(none)") → \(new?.description ?? "(none)")"
    }
}
