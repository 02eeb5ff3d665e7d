extension JSONArray {
    /// The number of equal elements at the start of two arrays and, of the remaining ones, at the end.
    static func commonPrefixAndSuffix(_ a: JSONArray, _ b: JSONArray) -> (prefix: Int, suffix: Int) {
        let shorter = Swift.min(a.count, b.count)
        let prefix = Swift.min(shorter, firstDifference(a, b) ?? shorter)
        let rest = shorter - prefix
        let suffix = (0..<rest).first { a[a.count - 1 - $0] != b[b.count - 1 - $0] } ?? rest
        return (prefix, suffix)
    }

    /// The first index at which two arrays differ or one ends. Skips shared pages.
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

    /// The differing middle of two arrays of different lengths, after trimming their common prefix and suffix.
    struct Splice {
        /// The differing ranges in the old and in the new array.
        let old: Range<Int>
        let new: Range<Int>
        /// The removed indices, if elements were only removed.
        let removed: [Int]?
        /// The inserted indices, if elements were only inserted.
        let inserted: [Int]?

        init(from old: JSONArray, to new: JSONArray) {
            let (prefix, suffix) = JSONArray.commonPrefixAndSuffix(old, new)
            self.old = prefix..<old.count - suffix
            self.new = prefix..<new.count - suffix
            removed = Splice.remainder(of: old, self.old, around: new, self.new)
            inserted = Splice.remainder(of: new, self.new, around: old, self.old)
        }

        /// The indices of a range that remain after matching another range in order; nil if the other range is not a
        /// subsequence.
        private static func remainder(
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

    /// Calls `body` with each index at which two arrays of equal length do not share a page, and both elements.
    func forEachUnsharedPair(with other: JSONArray, _ body: (Int, JSON, JSON) -> Void) {
        switch (form, other.form) {
        case (.large(let mine), .large(let theirs)):
            mine.elements.forEachUnshared(with: theirs.elements) { body($0, $1!, $2!) }
        default:
            if isIdentical(to: other) { return }
            for index in indices { body(index, self[index], other[index]) }
        }
    }

    /// The elements at each index at which two arrays of equal length have another spelling or other storage.
    package func differences(to new: JSONArray) -> [(index: Int, old: JSON, new: JSON)] {
        var differences: [(index: Int, old: JSON, new: JSON)] = []
        forEachUnsharedPair(with: new) { index, mine, theirs in
            if !mine.isIdentical(to: theirs) { differences.append((index, mine, theirs)) }
        }
        return differences
    }

    /// Returns the array with other elements at some indices, which are in order.
    package func replacing(_ changes: [(index: Int, element: JSON)]) -> JSONArray {
        guard let first = changes.first, let last = changes.last else { return self }
        let indices = first.index..<last.index + 1
        var next = changes[...]
        func replacement(_ index: Int, _ old: borrowing JSON) -> JSON? {
            next.first?.index == index ? next.removeFirst().element : JSON?.none
        }
        return switch form {
        case .small(let page): JSONArray(form: .small(page.replacingElements(in: indices, replacement)))
        case .large(let large):
            JSONArray(form: .large(LargeArray(large.elements.replacingElements(in: indices, replacement))))
        }
    }
}
