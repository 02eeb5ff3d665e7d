/// Finds the names most similar to a misspelled one.
///
/// A name is similar if its edit distance (insertions, deletions, replacements, transpositions, ignoring case) is at
/// most a third of its length, or if one of the two is a prefix of the other.
package struct NearestName {
    private let word: [Unicode.Scalar]
    private let isComparable: Bool

    /// Longer words are not compared, as the time is quadratic.
    private static let longest = 200

    package init(to word: String) {
        let isShort = word.utf8.count <= 4 * NearestName.longest
        self.word = isShort ? Array(word.lowercased().unicodeScalars) : []
        isComparable = isShort && self.word.count <= NearestName.longest
    }

    /// The most similar names, nearest first; equally near ones keep their order.
    package func among(_ names: some Sequence<String>, limit: Int) -> [String] {
        var best: [(name: String, distance: Int)] = []
        for name in names {
            guard let distance = distance(to: name) else { continue }
            if best.count == limit, best[limit - 1].distance <= distance { continue }
            let place = best.firstIndex { $0.distance > distance } ?? best.count
            best.insert((name, distance), at: place)
            if best.count > limit { best.removeLast() }
        }
        return best.map(\.name)
    }

    /// The edit distance; nil if the name is not similar.
    private func distance(to name: String) -> Int? {
        guard isComparable, name.utf8.count <= 4 * NearestName.longest else { return nil }
        let name = Array(name.lowercased().unicodeScalars)
        let (shorter, longer) = (min(name.count, word.count), max(name.count, word.count))
        let isBeginning = shorter >= 2 && name.prefix(shorter) == word.prefix(shorter)
        let furthest = max(1, (longer + 1) / 3)
        if longer - shorter > furthest { return isBeginning ? furthest : nil }
        let edits = edits(to: name)
        return edits <= furthest ? edits : isBeginning ? furthest : nil
    }

    /// The edit distance with transpositions (optimal string alignment).
    private func edits(to name: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...name.count)
        for i in word.indices {
            var row = [i + 1]
            for j in name.indices {
                var edits = min(last[j] + (word[i] == name[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, word[i] == name[j - 1], word[i - 1] == name[j] {
                    edits = min(edits, beforeLast[j - 1] + 1)
                }
                row.append(edits)
            }
            (beforeLast, last) = (last, row)
        }
        return last[name.count]
    }
}
