/// A word, or the beginning of one, that can stand in place of the last word.
struct Candidate: Equatable {
    let text: String
    /// A description of a few words.
    let note: String
    /// Whether the word is not complete.
    var isPartial = false
}

/// All candidates for the last word.
struct Candidates {
    enum NameKind: String {
        case files, directories
    }

    private(set) var words: [Candidate] = []
    /// Names that the shell completes. In the word, they follow the prefix.
    private(set) var names: (kind: NameKind, prefix: String)?

    /// A longer list is useless to a person, and slow in every shell.
    private static let limit = 2_000

    mutating func add(names kind: NameKind, after prefix: String) { names = (kind, prefix) }

    /// Adds words. Instead of too many, adds their common beginning, if that is longer than what is typed.
    mutating func add(_ candidates: [Candidate], typed: String) {
        guard candidates.count > Self.limit else {
            words += candidates
            return
        }
        let common = candidates.dropFirst().reduce(candidates[0].text) { common, candidate in
            String(zip(common, candidate.text).prefix { $0 == $1 }.map(\.0))
        }
        if common.count > typed.count { words.append(Candidate(text: common, note: "", isPartial: true)) }
    }
}
