/// The result of a three-way merge.
///
/// ```swift
/// let merge = JSON.merge(base: before, ours: inMemory, theirs: inTheFile)
/// merge.value         // the changes of both sides
/// merge.conflicts     // changes that contradict each other; our value was used
/// ```
///
/// Changes made by only one side are taken from that side, down to individual members. The same change made by both
/// sides is applied once. The roles of the two sides matter only in conflicts.
///
/// Arrays are merged element by element if neither side changed the number of elements. If one side did, its change is
/// the range between its common prefix and suffix with the base, and changes of the other side outside that range are
/// applied as well. If both sides changed the number, or if one side changed what the other replaced, the whole array
/// is a conflict. ``JSONArrayRules`` merge sets, logs and lists of identified objects in other ways.
///
/// The cost is proportional to the changes of the other side, if the three values share their unchanged parts as
/// versions of one document do; and to the size of arrays with rules that both sides changed. The merged value shares
/// its unchanged parts with our side.
public struct JSONMerge: Sendable {
    /// A side of a merge.
    public enum Side: String, Sendable {
        /// The caller's side.
        case ours
        /// The other side.
        case theirs

        /// The opposite side.
        public var opposite: Side { self == .ours ? .theirs : .ours }
    }

    /// The merged value.
    public let value: JSON

    /// The locations that both sides changed differently.
    public let conflicts: [JSONConflict]

    /// What was used in each conflict; nil if the value was removed.
    package let resolutions: [JSON?]
}

extension JSON {
    /// Merges two versions of `base`, and arrays by the given rules. In a conflict, uses the value of `side`.
    public static func merge(
        base: JSON, ours: JSON, theirs: JSON, arrays: JSONArrayRules = [:], preferring side: JSONMerge.Side = .ours
    ) -> JSONMerge {
        merge(base: base, ours: ours, theirs: theirs, arrays: arrays) { $0.value(of: side) }
    }

    /// Merges two versions of `base`, and arrays by the given rules. In a conflict, uses the result of `resolve`; nil
    /// removes the value.
    ///
    /// The root cannot be removed: nil for a conflict at the root yields `null`.
    public static func merge(
        base: JSON, ours: JSON, theirs: JSON, arrays: JSONArrayRules = [:], resolving resolve: (JSONConflict) -> JSON?
    ) -> JSONMerge {
        var threeWay = ThreeWayMerge(rules: arrays)
        let value = threeWay.merge(base, ours, theirs, resolve) ?? .null
        return JSONMerge(value: value, conflicts: threeWay.conflicts, resolutions: threeWay.resolutions)
    }
}

/// A location that both sides of a merge changed differently.
public struct JSONConflict: Sendable, Hashable {
    /// The path in the base value. For an element of an array merged by identity, the index is that in the merged
    /// array.
    public let path: JSONPointer

    /// The value before either change; nil if there was none.
    public let base: JSON?

    /// Our value; nil if our side removed it.
    public let ours: JSON?

    /// Their value; nil if the other side removed it.
    public let theirs: JSON?

    /// Creates a conflict.
    public init(path: JSONPointer, base: JSON?, ours: JSON?, theirs: JSON?) {
        (self.path, self.base, self.ours, self.theirs) = (path, base, ours, theirs)
    }

    /// The value of one side; nil if that side removed it.
    public func value(of side: JSONMerge.Side) -> JSON? { side == .ours ? ours : theirs }
}

extension JSONConflict: CustomStringConvertible {
    /// The path and the three values, truncated if long, on one line: `http.port: 8080 became 9090 here and 7070
    /// there`.
    public var description: String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 200) ?? "nothing" }
        let subject = path.isRoot ? "the whole value" : path.inMessage
        return "\(subject): \(text(base)) became \(text(ours)) here and \(text(theirs)) there"
    }
}
