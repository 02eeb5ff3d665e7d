/// Finds the names that somebody may have meant who wrote another one.
///
/// Near is a name that differs by few letters (added, left out, replaced, or two of them swapped: one in three, whatever
/// their case), or that begins with the word or is its beginning.
struct Nearest {
    private let word: [Unicode.Scalar]

    /// Longer ones are not worth the time.
    private static let longest = 200

    init(to word: String) { self.word = Array(word.lowercased().unicodeScalars) }

    /// The nearest first; of equally near ones, the first first.
    func among(_ names: some Sequence<String>, limit: Int) -> [String] {
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

    /// nil where the name is far away.
    private func distance(to name: String) -> Int? {
        guard name.utf8.count <= 4 * Nearest.longest, word.count <= Nearest.longest else { return nil }
        let name = Array(name.lowercased().unicodeScalars)
        let (shorter, longer) = (min(name.count, word.count), max(name.count, word.count))
        let isBeginning = shorter >= 2 && name.prefix(shorter) == word.prefix(shorter)
        let furthest = max(1, (longer + 1) / 3)
        if longer - shorter > furthest { return isBeginning ? furthest : nil }
        let edits = edits(to: name)
        return edits <= furthest ? edits : isBeginning ? furthest : nil
    }

    /// How many letters must be added, left out, replaced or swapped with their neighbour.
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
