import Glibc

/// The words of a command line up to the cursor, without quotes and escapes. The last word is the one to complete; it
/// is empty after a space.
///
/// Expands a tilde at the start of a word, and nothing else: a completion must not run commands of the line.
struct ShellLine {
    private(set) var words: [String] = []
    /// The quotation mark that is open at the cursor.
    private(set) var openQuote: Character?
    /// The text at the start of the last word that the shell keeps: it replaces only what follows.
    private(set) var kept = ""

    private var word = ""
    private var hasWord = false
    private var isRedirection = false

    /// - Parameter breaks: Characters that divide words for completion, though not for the command.
    init(_ line: String, breaks: String) {
        var rest = line[...]
        while let character = rest.popFirst() { take(character, &rest, breaks) }
        hasWord = true
        endWord(isLast: true)
        // Variables that are set for the command only.
        while words.count > 1, words[0].contains("=") { words.removeFirst() }
    }

    private mutating func take(_ character: Character, _ rest: inout Substring, _ breaks: String) {
        switch character {
        case " ", "\t", "\n": endWord()
        case "|", "&", ";", "(":
            endWord()
            words = []
        case "<", ">":
            endWord()
            isRedirection = true
        case "'", "\"": takeQuoted(by: character, &rest)
        case "\\":
            hasWord = true
            if let next = rest.popFirst() { word.append(next) }
        case "~" where word.isEmpty && !hasWord && (rest.first == nil || rest.first == "/"):
            hasWord = true
            word += getenv("HOME").map { String(cString: $0) } ?? "~"
        default:
            hasWord = true
            word.append(character)
            if breaks.contains(character) { kept = word }
        }
    }

    private mutating func takeQuoted(by quote: Character, _ rest: inout Substring) {
        hasWord = true
        let start = word
        while let character = rest.popFirst() {
            if character == quote { return }
            if quote == "\"", character == "\\", let next = rest.first, "\"\\$`".contains(next) {
                word.append(rest.removeFirst())
            } else {
                word.append(character)
            }
        }
        (openQuote, kept) = (quote, start)
    }

    private mutating func endWord(isLast: Bool = false) {
        if hasWord, !isRedirection || isLast { words.append(word) }
        if hasWord { isRedirection = false }
        if !isLast { (word, kept, hasWord) = ("", "", false) }
    }
}
