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
