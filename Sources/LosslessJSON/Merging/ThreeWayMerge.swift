/// Traverses three trees in parallel.
///
/// Starts with our value and applies the changes of the other side, so that parts which only our side changed are not
/// visited.
struct ThreeWayMerge {
    typealias Resolve = (JSONConflict) -> JSON?

    let rules: JSONArrayRules
    private(set) var conflicts: [JSONConflict] = []
    /// What was used in each conflict; nil if the value was removed.
    private(set) var resolutions: [JSON?] = []
    var path: [String] = []

    init(rules: JSONArrayRules) { self.rules = rules }

    /// nil if the merge removes the value.
    mutating func merge(_ base: JSON?, _ ours: JSON?, _ theirs: JSON?, _ resolve: Resolve) -> JSON? {
        if isKnownSame(base, theirs) || isKnownSame(ours, theirs) { return ours }
        if isKnownSame(base, ours) { return theirs }
        switch (base, ours, theirs) {
        case (.object(let base), .object(let ours), .object(let theirs)):
            return .object(merge(base, ours, theirs, resolve))
        case (_, .object(let ours), .object(let theirs)):  // each began one: what they put in is merged
            return .object(merge(JSONObject(), ours, theirs, resolve))
        case (_, .array(let ours), .array(let theirs)):
            guard let merged = merge(base?.array, ours, theirs, resolve) else { break }
            return .array(merged)
        default: break
        }
        if base == theirs || ours == theirs { return ours }
        if base == ours { return theirs }
        return resolved(base, ours, theirs, resolve)
    }

    /// Whether two values are known to be equal in constant time. Containers that are not identical are compared later.
    private func isKnownSame(_ a: JSON?, _ b: JSON?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.isIdentical(to: b) || !a.isContainer && a == b
    }

    private mutating func resolved(_ base: JSON?, _ ours: JSON?, _ theirs: JSON?, _ resolve: Resolve) -> JSON? {
        let conflict = JSONConflict(path: JSONPointer(path), base: base, ours: ours, theirs: theirs)
        let resolution = resolve(conflict)
        conflicts.append(conflict)
        resolutions.append(resolution)
        return resolution
    }

    private mutating func merge(
        _ base: JSONObject, _ ours: JSONObject, _ theirs: JSONObject, _ resolve: Resolve
    ) -> JSONObject {
        var merged = ours
        base.forEachUnsharedPair(with: theirs) { key, before, after in
            path.append(key.string)
            let value = merge(before, ours.value(of: key), after, resolve)
            path.removeLast()
            merged = value.map { merged.setting(key, to: $0) } ?? merged.removing(key)
        }
        return merged
    }

    /// Merges by index. nil if the whole array is a conflict, or if only one side changed it.
    mutating func mergeWhole(
        _ base: JSONArray, _ ours: JSONArray, _ theirs: JSONArray, _ resolve: Resolve
    ) -> JSONArray? {
        switch (ours.count == base.count, theirs.count == base.count) {
        case (true, true): return mergeElements(base, ours, theirs, resolve)
        case (true, false): return splicing(changesFrom: base, to: ours, into: theirs)
        case (false, true): return splicing(changesFrom: base, to: theirs, into: ours)
        case (false, false): return nil
        }
    }

    private mutating func mergeElements(
        _ base: JSONArray, _ ours: JSONArray, _ theirs: JSONArray, _ resolve: Resolve
    ) -> JSONArray {
        var merged = ours
        var removed: [Int] = []
        base.forEachUnsharedPair(with: theirs) { index, before, after in
            path.append(String(index))
            let value = merge(before, ours[index], after, resolve)
            path.removeLast()
            if let value { merged[index] = value } else { removed.append(index) }
        }
        if removed.isEmpty { return merged }
        let removedIndices = Set(removed)
        return JSONArray(merged.indices.lazy.filter { !removedIndices.contains($0) }.map { merged[$0] })
    }

    /// Merges an array whose length only one side, `resized`, changed: replaces the range of `base` between the common
    /// prefix and suffix. nil if the other side changed an element in that range.
    private func splicing(changesFrom base: JSONArray, to kept: JSONArray, into resized: JSONArray) -> JSONArray? {
        let (prefix, suffix) = JSONArray.commonPrefixAndSuffix(base, resized)
        let replaced = prefix..<base.count - suffix
        var overlaps = false
        base.forEachUnsharedPair(with: kept) { index, before, after in
            if !overlaps, replaced.contains(index) { overlaps = before != after }
        }
        if overlaps { return nil }
        var merged = kept
        merged.replaceSubrange(replaced, with: resized[prefix..<resized.count - suffix])
        return merged
    }
}
