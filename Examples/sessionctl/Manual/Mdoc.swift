/// A manual page in the language mdoc(7), built line by line.
///
/// The source is ASCII, so that it does not depend on the encoding that a formatter expects.
struct Mdoc {
    private(set) var text = ""

    /// Appends a line as it is: a macro with its arguments.
    mutating func macro(_ line: String) { text += ".\(line)\n" }

    /// Appends text that is filled to the width of the page. A sentence begins on a new line, as formatters expect.
    ///
    /// - Parameter placeholders: Words in italics, such as `FILE`.
    mutating func prose(_ prose: String, placeholders: Set<String> = []) {
        var line = ""
        for word in MdocText.markup(prose, placeholders).split(whereSeparator: \.isWhitespace) {
            let startsSentence = line.last.map { ".?!".contains($0) } == true && MdocText.beginsSentence(word)
            if !line.isEmpty, startsSentence || line.count + 1 + word.count > 78 {
                textLine(line)
                line = ""
            }
            line += line.isEmpty ? word : " \(word)"
        }
        if !line.isEmpty { textLine(line) }
    }

    /// Appends lines that are shown as they are.
    mutating func literal(_ lines: String) {
        // Less than the usual indentation, so that more lines fit on a terminal of 80 columns.
        macro("Bd -literal -offset 2n")
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            textLine(MdocText.literal(String(line)))
        }
        macro("Ed")
    }

    /// Appends a line of text. A dot or a quote at its start would make it a macro.
    private mutating func textLine(_ line: String) {
        text += (line.first == "." || line.first == "'" ? "\\&" : "") + line + "\n"
    }
}

/// Conversion of plain text to the escapes of roff.
enum MdocText {
    /// Text that a reader may copy: hyphens are minus signs, and quotation marks stay straight.
    static func literal(_ text: String) -> String {
        text.unicodeScalars.map { $0 == "-" ? "\\-" : escaped($0) }.joined()
    }

    /// Text in sentences: options are bold, placeholders are in italics, and text between backticks is literal.
    static func markup(_ text: String, _ placeholders: Set<String>) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index % 2 == 1 ? bold(literal(String(part))) : words(String(part), placeholders)
        }.joined()
    }

    /// Whether a word of ``markup(_:_:)`` begins with a capital letter, or is an option or a placeholder.
    static func beginsSentence(_ word: Substring) -> Bool { word.hasPrefix("\\f") || word.first?.isUppercase == true }

    private static func words(_ text: String, _ placeholders: Set<String>) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            let word = String(String.UnicodeScalarView(rest.prefix(while: isWordPart)))
            if word.isEmpty {
                result += first == "\u{2026}" ? "..." : escaped(first)
                rest.removeFirst()
            } else {
                result += marked(word, placeholders)
                rest.removeFirst(word.unicodeScalars.count)
            }
        }
        return result
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "-")
    }

    private static func marked(_ word: String, _ placeholders: Set<String>) -> String {
        if word.first == "-" { return word.last == "-" ? literal(word) : bold(literal(word)) }
        // FILEs are several FILE.
        let singular = word.last == "s" ? String(word.dropLast()) : word
        return placeholders.contains(singular) ? "\\fI\(singular)\\fR\(word.dropFirst(singular.count))" : word
    }

    private static func bold(_ text: String) -> String { "\\fB\(text)\\fR" }

    /// A character as itself. Formatters replace some ASCII characters by typographic ones, unless they are escaped.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\e"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "\"": "\\(dq"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "→": "\\(->"
        case _ where scalar.isASCII: String(scalar)
        default: "\\[u\(String(repeating: "0", count: max(0, 4 - scalar.digits.count)))\(scalar.digits)]"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var digits: String { String(value, radix: 16, uppercase: true) }
}
