/// One location at which two versions of a value differ.
public struct JSONChange: Sendable, Hashable {
    /// The kind of change.
    public enum Kind: String, Sendable {
        /// A member or an element was added.
        case added
        /// A member or an element was removed.
        case removed
        /// A value was replaced.
        case changed
    }

    /// The path of the change. A removed element has its old index, an added element its new one.
    public let path: JSONPointer

    /// The previous value; nil if it was added.
    public let old: JSON?

    /// The new value; nil if it was removed.
    public let new: JSON?

    /// The kind of change.
    public var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }

    /// Creates a change: an addition if `old` is nil, a removal if `new` is nil, otherwise a replacement.
    ///
    /// At least one of the two must not be nil.
    public init(at path: JSONPointer, from old: JSON?, to new: JSON?) {
        precondition(old != nil || new != nil, "a change from nothing to nothing")
        (self.path, self.old, self.new) = (path, old, new)
    }
}

extension JSONChange: CustomStringConvertible {
    /// The path and both values, truncated if long, on one line: `http.port: 8080 → 9090`.
    public var description: String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 200) ?? "(none)" }
        return "\(path.inMessage): \(text(old)) → \(text(new))"
    }
}
