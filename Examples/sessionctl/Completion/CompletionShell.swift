import VisibleText

/// A shell with a completion script.
///
/// The script receives candidates line by line. `word TEXT` is a whole word, `part TEXT` the beginning of one, after
/// which no space is inserted, and `files PREFIX` and `directories PREFIX` stand for names that the shell completes
/// itself, after a prefix. After TEXT, fish receives a tab and a description, and zsh a tab and the line that it shows.
enum CompletionShell: String {
    case bash, zsh, fish

    func text(of candidates: Candidates, after line: ShellLine) -> String {
        // Others could deceive, or control the terminal.
        let words = candidates.words.filter { $0.text.visible == $0.text }
        let width = words.map(\.text.count).max() ?? 0
        var lines = words.map { candidate in
            let kind = candidate.isPartial ? "part" : "word"
            return switch self {
            case .bash: "\(kind) \(textForBash(candidate, after: line))"
            case .zsh: "\(kind) \(candidate.text)\t\(CompletionShell.row(candidate, width: width))"
            case .fish: "\(kind) \(candidate.text)\t\(candidate.note)"
            }
        }
        if let names = candidates.names { lines.append("\(names.kind.rawValue) \(names.prefix)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The text and its description in columns.
    private static func row(_ candidate: Candidate, width: Int) -> String {
        if candidate.note.isEmpty { return candidate.text }
        let padding = String(repeating: " ", count: width - candidate.text.count)
        return "\(candidate.text)\(padding)  \(candidate.note)"
    }

    /// Bash replaces only a part of the word, and does not quote what it inserts.
    private func textForBash(_ candidate: Candidate, after line: ShellLine) -> String {
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
