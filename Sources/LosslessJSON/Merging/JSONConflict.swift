/// A place that two sides changed in different ways.
public struct JSONConflict: Sendable, Hashable {
    /// Where, in the value both sides began with.
    public let path: JSONPointer

    /// What both sides began with; nil when there was nothing.
    public let base: JSON?

    /// What our side made of it; nil when it was removed.
    public let ours: JSON?

    /// What the other side made of it; nil when it was removed.
    public let theirs: JSON?

    /// A conflict of three values at a path.
    public init(path: JSONPointer, base: JSON?, ours: JSON?, theirs: JSON?) {
        (self.path, self.base, self.ours, self.theirs) = (path, base, ours, theirs)
    }

    /// The value of one side; nil when that side removed it.
    public func value(of side: JSONMerge.Side) -> JSON? { side == .ours ? ours : theirs }
}

extension JSONConflict: CustomStringConvertible {
    /// The path and the three values, on one line: `http.port: 8080 became 9090 here and 7070 there`.
    public var description: String {
        func words(_ value: JSON?) -> String { value?.description ?? "nothing" }
        let place = path.isRoot ? "the whole value" : path.dotted
        return "\(place): \(words(base)) became \(words(ours)) here and \(words(theirs)) there"
    }
}
