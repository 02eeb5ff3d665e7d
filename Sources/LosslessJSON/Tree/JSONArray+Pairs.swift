extension JSONArray {
    /// How many elements two arrays share at their beginnings and, of the rest, at their ends.
    static func commonEnds(_ a: JSONArray, _ b: JSONArray) -> (prefix: Int, suffix: Int) {
        let shorter = Swift.min(a.count, b.count)
        let prefix = Swift.min(shorter, firstDifference(a, b) ?? shorter)
        let rest = shorter - prefix
        let suffix = (0..<rest).first { a[a.count - 1 - $0] != b[b.count - 1 - $0] } ?? rest
        return (prefix, suffix)
    }

    /// The first index at which two arrays differ or one ends, found without looking at pages that they share.
    private static func firstDifference(_ a: JSONArray, _ b: JSONArray) -> Int? {
        guard case .large(let mine) = a.form, case .large(let theirs) = b.form else {
            return zip(a, b).enumerated().first { $1.0 != $1.1 }?.offset
        }
        var first: Int?
        mine.elements.forEachUnshared(with: theirs.elements) { index, left, right in
            if first == nil && left != right { first = index }
        }
        return first
    }

    /// What an array of another length has become of a part of an older one, beginning and end in common left out.
    struct Middle {
        /// What there was, and what there is.
        let old: Range<Int>
        let new: Range<Int>
        /// What went, where nothing else happened.
        let removed: [Int]?
        /// What came, where nothing else happened.
        let inserted: [Int]?

        init(from old: JSONArray, to new: JSONArray) {
            let (prefix, suffix) = JSONArray.commonEnds(old, new)
            self.old = prefix..<old.count - suffix
            self.new = prefix..<new.count - suffix
            removed = Middle.rest(of: old, self.old, around: new, self.new)
            inserted = Middle.rest(of: new, self.new, around: old, self.old)
        }

        /// What is left of a part of an array when another part is found in it, in order; nil when that cannot be found.
        private static func rest(
            of whole: JSONArray, _ wholeRange: Range<Int>, around part: JSONArray, _ partRange: Range<Int>
        ) -> [Int]? {
            guard wholeRange.count >= partRange.count else { return nil }
            var rest: [Int] = []
            var next = partRange.lowerBound
            for index in wholeRange {
                if next < partRange.upperBound, whole[index] == part[next] {
                    next += 1
                } else {
                    rest.append(index)
                    if wholeRange.upperBound - index - 1 < partRange.upperBound - next { return nil }
                }
            }
            return rest
        }
    }

    /// Calls `body` with each index at which two arrays of one length do not share a page, and the elements there.
    func forEachUnsharedPair(with other: JSONArray, _ body: (Int, JSON, JSON) -> Void) {
        switch (form, other.form) {
        case (.large(let mine), .large(let theirs)):
            mine.elements.forEachUnshared(with: theirs.elements) { body($0, $1!, $2!) }
        default:
            if isIdentical(to: other) { return }
            for index in indices { body(index, self[index], other[index]) }
        }
    }
}
