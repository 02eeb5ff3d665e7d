extension ThreeWayMerge {
    /// nil if the whole array is a conflict.
    mutating func merge(
        _ base: JSONArray?, _ ours: JSONArray, _ theirs: JSONArray, _ resolve: Resolve
    ) -> JSONArray? {
        let merging = rules.merging(at: JSONPointer(path))
        guard merging != .whole else {
            return base.flatMap { mergeWhole($0, ours, theirs, resolve) }
        }
        let base = base ?? ThreeWayMerge.assumedBase(ours, theirs, merging)
        if base == theirs || ours == theirs { return ours }
        if base == ours { return theirs }
        return switch merging {
        case .whole: mergeWhole(base, ours, theirs, resolve)
        case .union: ThreeWayMerge.union(base, ours, theirs)
        case .append: mergeAppended(base, ours, theirs, resolve)
        case .byIdentity(let key): mergeByIdentity(key, base, ours, theirs, resolve)
        }
    }

    /// The base of two arrays that have none.
    private static func assumedBase(
        _ ours: JSONArray, _ theirs: JSONArray, _ merging: JSONArrayMerging
    ) -> JSONArray {
        guard merging == .append else { return JSONArray() }
        return JSONArray(ours.prefix(JSONArray.commonPrefixAndSuffix(ours, theirs).prefix))
    }

    private static func union(_ base: JSONArray, _ ours: JSONArray, _ theirs: JSONArray) -> JSONArray {
        let before = Set(base)
        let mine = Set(ours)
        let kept = theirs.lazy.filter { mine.contains($0) || !before.contains($0) }
        let added = ours.lazy.filter { !before.contains($0) }
        var listed: Set<JSON> = []
        return JSONArray((Array(kept) + Array(added)).filter { listed.insert($0).inserted })
    }

    private mutating func mergeAppended(
        _ base: JSONArray, _ ours: JSONArray, _ theirs: JSONArray, _ resolve: Resolve
    ) -> JSONArray? {
        let mine = AppendedArray(ours, since: base)
        let other = AppendedArray(theirs, since: base)
        let kept =
            if let mine, let other {
                JSONArray(base.indices.lazy.filter { mine.keeps[$0] && other.keeps[$0] }.map { base[$0] })
            } else {
                mergeWhole(base, mine?.kept(of: base) ?? ours, other?.kept(of: base) ?? theirs, resolve)
            }
        guard let kept else { return nil }
        return JSONArray(Array(kept) + (other?.additions ?? []) + (mine?.additions ?? []))
    }

    private mutating func mergeByIdentity(
        _ key: String, _ base: JSONArray, _ ours: JSONArray, _ theirs: JSONArray, _ resolve: Resolve
    ) -> JSONArray? {
        guard let before = IdentifiedElements(base, by: key), let mine = IdentifiedElements(ours, by: key),
            let other = IdentifiedElements(theirs, by: key)
        else { return mergeWhole(base, ours, theirs, resolve) }
        let startsWithOurs =
            !other.reorders(before) && (mine.reorders(before) || other.identities.allSatisfy(before.contains))
        let (first, second) = startsWithOurs ? (mine, other) : (other, mine)
        let identities = first.identities + second.identities.filter { !first.contains($0) }
        var merged: [JSON] = []
        for identity in identities {
            path.append(String(merged.count))
            let value = merge(before[identity], mine[identity], other[identity], resolve)
            path.removeLast()
            if let value { merged.append(value) }
        }
        return JSONArray(merged)
    }
}

/// An array read as the elements of an earlier version, without those that were removed, followed by additions.
private struct AppendedArray {
    /// For each element of the earlier version, whether it was kept.
    private(set) var keeps: [Bool]
    let additions: [JSON]

    /// nil if the array cannot be read this way: additions must follow the last element of the earlier version, because
    /// a changed element would look like one removed and one added.
    init?(_ array: JSONArray, since base: JSONArray) {
        // The longest beginning of the array whose elements the base has in this order.
        var end = 0
        for element in base where end < array.count && array[end] == element { end += 1 }
        if end < array.count, let last = base.last {
            guard let position = array[..<end].lastIndex(of: last) else { return nil }
            end = position + 1
        }
        additions = Array(array[end...])
        // Matched from the end, because logs are shortened at the beginning.
        keeps = Array(repeating: false, count: base.count)
        for index in base.indices.reversed() where end > 0 && array[end - 1] == base[index] {
            keeps[index] = true
            end -= 1
        }
    }

    func kept(of base: JSONArray) -> JSONArray {
        JSONArray(base.indices.lazy.filter { keeps[$0] }.map { base[$0] })
    }
}

/// The elements of an array with their identities, which are unique.
private struct IdentifiedElements {
    /// The identities, in order.
    private(set) var identities: [JSON] = []
    private var elements: [JSON: JSON] = [:]

    /// nil if an element has no identity or the same one as another element.
    init?(_ array: JSONArray, by key: String) {
        for element in array {
            guard let identity = element.object?[key], identity.number != nil || identity.string != nil,
                elements.updateValue(element, forKey: identity) == nil
            else { return nil }
            identities.append(identity)
        }
    }

    subscript(identity: JSON) -> JSON? { elements[identity] }

    func contains(_ identity: JSON) -> Bool { elements[identity] != nil }

    /// Whether elements that an earlier version also has stand in another order than there.
    func reorders(_ base: IdentifiedElements) -> Bool {
        !identities.filter(base.contains).elementsEqual(base.identities.filter(contains))
    }
}
