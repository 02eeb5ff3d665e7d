/// How to merge an array that both sides changed.
///
/// If only one side changed the array, or both have the same array, the result is that array, whatever the policy. An
/// array that the base does not have counts as empty there; if it is merged as a whole, it is a conflict.
///
/// Merging takes time proportional to the size of the array, for each side.
public enum JSONArrayMerging: Sendable, Hashable {
    /// Merges by index, as described at ``JSONMerge``. If both sides inserted or removed elements, the array is a
    /// conflict.
    case whole

    /// Merges a set: an element that either side removed is removed, and an element that either side added is added.
    ///
    /// The elements of the other side come first, in its order, then those that only our side added. The result has
    /// each element once. Elements are compared as a whole, so that a changed element counts as one removed and one
    /// added.
    case union

    /// Merges a log: the elements that either side appended are kept, after those of the base; the other side's come
    /// first.
    ///
    /// Equal elements that both sides appended are kept twice, unless the two arrays are equal as a whole, which counts
    /// as the same change. Elements of the base that either side removed are removed, for example the oldest ones of a
    /// log of limited length.
    ///
    /// A side that changed elements of the base, or inserted some, is merged with the other one as with ``whole``, and
    /// the elements that the other one appended follow. If that is not possible, the array is a conflict.
    ///
    /// If the base does not have the array, the elements with which both sides begin count as the base.
    case append

    /// Merges objects that a member identifies, such as `"id"`: like the members of an object whose keys are the values
    /// of that member.
    ///
    /// Elements with the same identity are merged member by member, also if both sides added them. An element that one
    /// side removed and the other left unchanged is removed. If the other side changed it, the element is a conflict.
    ///
    /// The elements of the other side come first, in its order, then the remaining ones in our order. It is the reverse
    /// if only our side reordered elements, or if the other side added none and kept their order.
    ///
    /// The identity is a string or a number. If an element of the base or of a side has none, or an identity occurs
    /// twice in one of the arrays, the arrays are merged as with ``whole``.
    case byIdentity(String)
}

/// Which arrays to merge in which way: the first pattern that matches the path of an array counts.
///
/// ```swift
/// let arrays: JSONArrayRules = ["peers": .union, "tenants.*.log": .append, "servers": .byIdentity("id")]
/// ```
///
/// An array that no pattern matches is merged as a whole. A lookup takes time proportional to the number of patterns,
/// and happens once for each array that both sides changed.
public struct JSONArrayRules: Sendable, ExpressibleByDictionaryLiteral {
    private let rules: [(pattern: JSONPathPattern, merging: JSONArrayMerging)]

    /// Creates rules from pairs of a pattern and what applies to the arrays that it matches.
    public init(_ rules: [(JSONPathPattern, JSONArrayMerging)]) {
        self.rules = rules.map { (pattern: $0.0, merging: $0.1) }
    }

    /// Creates rules from pairs of a pattern and what applies to the arrays that it matches.
    public init(dictionaryLiteral rules: (JSONPathPattern, JSONArrayMerging)...) { self.init(rules) }

    /// How to merge the array at a path.
    public func merging(at path: JSONPointer) -> JSONArrayMerging {
        rules.first { $0.pattern.matches(path) }?.merging ?? .whole
    }
}
