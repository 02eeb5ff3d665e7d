/// What becomes of a value that two sides changed at the same time.
///
/// ```swift
/// let merge = JSON.merge(base: before, ours: inMemory, theirs: inTheFile)
/// merge.value         // both sides' changes
/// merge.conflicts     // what both changed in different ways: here our side's value was taken
/// ```
///
/// What only one side changed is taken from that side, down to single members. What both changed into the same is taken
/// once. Which side is which matters in conflicts only.
///
/// Arrays are merged place by place while neither side changed how many elements there are. When one side did, its
/// change is what lies between the beginning and the end that it left as they were, and changes of the other side fit in
/// beside that. Where both changed how many there are, or one of them what the other replaced so, the array as a whole is a
/// conflict.
///
/// The cost is what the other side changed, if the three values share what is the same, as versions of one document do.
/// The merged value shares its unchanged parts with our side.
public struct JSONMerge: Sendable {
    /// One of the two that changed the value.
    public enum Side: String, Sendable {
        /// The side the caller speaks for.
        case ours
        /// The other one.
        case theirs

        /// The other one of the two.
        public var opposite: Side { self == .ours ? .theirs : .ours }
    }

    /// What both sides together make of the value.
    public let value: JSON

    /// The places that both sides changed in different ways.
    public let conflicts: [JSONConflict]
}

extension JSON {
    /// Merges two versions of `base`, where `side` is right in every conflict.
    public static func merge(
        base: JSON, ours: JSON, theirs: JSON, preferring side: JSONMerge.Side = .ours
    ) -> JSONMerge {
        merge(base: base, ours: ours, theirs: theirs) { $0.value(of: side) }
    }

    /// Merges two versions of `base`, where each conflict is decided by what `resolve` gives for it: nil removes what is
    /// there.
    ///
    /// The whole value cannot be removed; nil for a conflict about it is `null`.
    public static func merge(
        base: JSON, ours: JSON, theirs: JSON, resolving resolve: (JSONConflict) -> JSON?
    ) -> JSONMerge {
        var walk = MergeWalk()
        let value = walk.merge(base, ours, theirs, resolve) ?? .null
        return JSONMerge(value: value, conflicts: walk.conflicts)
    }
}
