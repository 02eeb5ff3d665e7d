/// A shell with a completion script.
///
/// The script receives candidates line by line. `word TEXT` is a whole word, `part TEXT` the beginning of one, after
/// which no space is inserted, and `files PREFIX` and `directories PREFIX` stand for names that the shell completes
/// itself, after a prefix. In zsh and fish, a tab and a description follow TEXT.
enum CompletionShell: String {
    case bash, zsh, fish

    func text(of candidates: Candidates, after line: ShellLine) -> String {
        let words = candidates.words.filter { candidate in
            candidate.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        var lines = words.map { candidate in
            "\(candidate.isPartial ? "part" : "word") \(text(of: candidate, after: line))"
        }
        if let names = candidates.names { lines.append("\(names.kind.rawValue) \(names.prefix)") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func text(of candidate: Candidate, after line: ShellLine) -> String {
        if self != .bash { return "\(candidate.text)\t\(candidate.note)" }
        // Bash replaces only a part of the word, and does not quote what it inserts.
        let kept = candidate.text.hasPrefix(line.kept) ? line.kept.count : 0
        return BashQuoting(line.openQuote).quoted(String(candidate.text.dropFirst(kept)))
    }
}

/// Quotes text for bash, inside the quotation mark that is open, or without one.
private struct BashQuoting {
    private let openQuote: Character?

    init(_ openQuote: Character?) { self.openQuote = openQuote }

    func quoted(_ text: String) -> String {
        switch openQuote {
        case "'": text.replacing("'", with: "'\\''")
        case .some: text.map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        case nil: text.map { BashQuoting.isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
        }
    }

    /// An equals sign stays as it is: bash divides words at it, but it is plain in PATH=JSON.
    private static func isPlain(_ character: Character) -> Bool {
        !character.isASCII || character.isLetter || character.isNumber || "/._-=+%,@".contains(character)
    }
}
