extension JSON {
    /// Lists the changes from `old` to this value: the deepest locations at which the two differ, in an order in which
    /// the changes can be applied.
    ///
    /// Skips parts that both values share, so that the difference of two versions costs what changed rather than their
    /// size. Arrays of equal length are compared element by element. For arrays of different lengths, the result
    /// consists of removals or additions if those alone turn one array into the other; otherwise the elements between
    /// the common prefix and the common suffix are compared pairwise, and the remaining ones are removed or added.
    public func difference(from old: JSON) -> [JSONChange] {
        var difference = Difference()
        difference.compare(old, self)
        return difference.changes
    }
}

/// Traverses two trees in parallel.
private struct Difference {
    private(set) var changes: [JSONChange] = []
    private var path: [String] = []

    mutating func compare(_ old: JSON, _ new: JSON) {
        if old.isIdentical(to: new) { return }
        switch (old, new) {
        case (.object(let old), .object(let new)): compare(old, new)
        case (.array(let old), .array(let new)): compare(old, new)
        default: if old != new { report(old, new) }
        }
    }

    private mutating func report(_ old: JSON?, _ new: JSON?) {
        changes.append(JSONChange(at: JSONPointer(path), from: old, to: new))
    }

    private mutating func compare(_ old: JSONObject, _ new: JSONObject) {
        old.forEachUnsharedPair(with: new) { key, before, after in
            if let before, let after, !before.isContainer, before == after { return }  // `1` and `1.0`
            path.append(key.string)
            defer { path.removeLast() }
            if let before, let after { compare(before, after) } else { report(before, after) }
        }
    }

    private mutating func compare(_ old: JSONArray, _ new: JSONArray) {
        if old.count == new.count {
            old.forEachUnsharedPair(with: new) { index, before, after in compare(before, after, at: index) }
            return
        }
        let splice = JSONArray.Splice(from: old, to: new)
        if let removed = splice.removed {
            for index in removed.reversed() { compare(old[index], nil, at: index) }
        } else if let inserted = splice.inserted {
            for index in inserted { compare(nil, new[index], at: index) }
        } else {
            compare(old, splice.old, new, splice.new)
        }
    }

    /// Compares two ranges pairwise; the remaining elements were removed or added.
    private mutating func compare(_ old: JSONArray, _ before: Range<Int>, _ new: JSONArray, _ after: Range<Int>) {
        let paired = before.lowerBound..<min(before.upperBound, after.upperBound)
        for index in paired { compare(old[index], new[index], at: index) }
        for index in (paired.upperBound..<max(before.upperBound, paired.upperBound)).reversed() {
            compare(old[index], nil, at: index)
        }
        for index in paired.upperBound..<max(after.upperBound, paired.upperBound) {
            compare(nil, new[index], at: index)
        }
    }

    private mutating func compare(_ old: JSON?, _ new: JSON?, at index: Int) {
        if let old, let new, old.isIdentical(to: new) { return }
        path.append(String(index))
        defer { path.removeLast() }
        if let old, let new { compare(old, new) } else { report(old, new) }
    }
}
