internal import Glibc

extension JSONArray {
    /// The number of elements at the start of two arrays that are the same and, of the remaining ones, at the end.
    static func commonPrefixAndSuffix(
        _ a: JSONArray, _ b: JSONArray,
        _ isSame: PagedVector<JSON>.IsSame = JSONArray.isEqual
    ) -> (prefix: Int, suffix: Int) {
        let shorter = Swift.min(a.count, b.count)
        let prefix = Swift.min(shorter, firstDifference(a, b, isSame) ?? shorter)
        let rest = shorter - prefix
        if case .large(let mine) = a.form, case .large(let theirs) = b.form {
            return (prefix, mine.elements.commonSuffix(with: theirs.elements, atMost: rest, isSame))
        }
        let suffix = (0..<rest).first { offset in
            a.withElement(a.count - 1 - offset) { mine in
                b.withElement(b.count - 1 - offset) { !isSame(mine, $0) }
            }
        }
        return (prefix, suffix ?? rest)
    }

    static func isIdentical(_ a: UnsafeMutablePointer<JSON>, _ b: UnsafeMutablePointer<JSON>) -> Bool {
        hasSameBytes(a, b) || a.pointee.isIdentical(to: b.pointee)
    }

    private static func isEqual(_ a: UnsafeMutablePointer<JSON>, _ b: UnsafeMutablePointer<JSON>) -> Bool {
        hasSameBytes(a, b) || a.pointee.isIdentical(to: b.pointee) || a.pointee == b.pointee
    }

    /// True for copies of one element; false says nothing. Counts no references. The payload of an enum is at its start;
    /// what is behind a reference may be anything.
    @inline(__always)
    private static func hasSameBytes(_ a: UnsafeMutablePointer<JSON>, _ b: UnsafeMutablePointer<JSON>) -> Bool {
        if case .object = a.pointee, case .object = b.pointee {
            return memcmp(a, b, MemoryLayout<JSONObject>.size) == 0
        }
        if case .array = a.pointee, case .array = b.pointee { return memcmp(a, b, MemoryLayout<JSONArray>.size) == 0 }
        return memcmp(a, b, MemoryLayout<JSON>.size) == 0
    }

    /// The first index at which two arrays differ; nil if one ends before. Skips shared pages.
    static func firstDifference(
        _ a: JSONArray, _ b: JSONArray, _ isSame: PagedVector<JSON>.IsSame = JSONArray.isEqual
    ) -> Int? {
        if case .large(let mine) = a.form, case .large(let theirs) = b.form {
            return mine.elements.firstDifference(from: theirs.elements, isSame)
        }
        return (0..<Swift.min(a.count, b.count)).first { index in
            a.withElement(index) { mine in b.withElement(index) { !isSame(mine, $0) } }
        }
    }

    /// Accesses one element in place, without reference counting.
    @inline(__always)
    private func withElement<Result>(_ index: Int, _ body: (UnsafeMutablePointer<JSON>) -> Result) -> Result {
        switch form {
        case .small(let page): body(page.elements + index)
        case .large(let large): large.elements.withElement(index, body)
        }
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

    /// Calls `body` with each index at which two arrays of equal length have another spelling or other storage, and both
    /// elements.
    func forEachUnsharedPair(with other: JSONArray, _ body: (Int, JSON, JSON) -> Void) {
        switch (form, other.form) {
        case (.large(let mine), .large(let theirs)):
            mine.elements.forEachDifference(from: theirs.elements, JSONArray.isIdentical) { body($0, $1!, $2!) }
        default:
            if isIdentical(to: other) { return }
            for index in indices where !self[index].isIdentical(to: other[index]) {
                body(index, self[index], other[index])
            }
        }
    }

    /// The elements at each index at which two arrays of equal length have another spelling or other storage.
    package func differences(to new: JSONArray) -> [(index: Int, old: JSON, new: JSON)] {
        var differences: [(index: Int, old: JSON, new: JSON)] = []
        forEachUnsharedPair(with: new) { differences.append(($0, $1, $2)) }
        return differences
    }

    /// Returns the array with other elements at some indices, which are in order.
    package func replacing(_ changes: [(index: Int, element: JSON)]) -> JSONArray {
        if changes.isEmpty { return self }
        return switch form {
        case .small(let page): JSONArray(form: .small(page.replacing(changes[...])))
        case .large(let large): JSONArray(form: .large(LargeArray(large.elements.replacing(changes))))
        }
    }
}
