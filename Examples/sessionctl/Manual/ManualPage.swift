/// A manual page, as source for man(1).
struct ManualPage {
    let name: String
    let section: Int
    let text: String

    /// The name of its file: `sessionctl.1`.
    var fileName: String { "\(name).\(section)" }

    /// All pages: of the program, of each command, and of the file format.
    static var all: [ManualPage] { [overview] + Command.all.map(ManualPage.init) + [fileFormat] }

    /// The page of an operand of `sessionctl manual`; nil if there is none.
    static func named(_ operand: String) -> ManualPage? {
        operand == fileFormat.name ? fileFormat : Command.all.first { $0.name == operand }.map(ManualPage.init)
    }

    /// Begins with the sections that every page has.
    ///
    /// - Parameter summary: A phrase of half a line.
    init(name: String, section: Int, summary: String, body: (inout Mdoc) -> Void) {
        (self.name, self.section) = (name, section)
        var page = Mdoc()
        page.macro("Dd \(Sessionctl.date)")
        page.macro("Dt \(name.uppercased()) \(section)")
        page.macro("Os SessionMirror \(Sessionctl.version)")
        page.macro("Sh NAME")
        page.macro("Nm \(name)")
        page.macro("Nd \(MdocText.markup(summary, []))")
        body(&page)
        text = page.text
    }
}

extension Mdoc {
    /// Appends paragraphs. Indented lines are literal.
    mutating func paragraphs(_ text: String, placeholders: Set<String> = []) {
        for (index, paragraph) in text.split(separator: "\n\n").enumerated() {
            if index > 0 { macro("Pp") }
            var lines = paragraph.split(separator: "\n")[...]
            while let first = lines.first {
                let isLiteral = first.hasPrefix("  ")
                let block = lines.prefix { $0.hasPrefix("  ") == isLiteral }
                lines = lines[block.endIndex...]
                if isLiteral {
                    literal(block.map { $0.dropFirst(2) }.joined(separator: "\n"))
                } else {
                    prose(block.joined(separator: " "), placeholders: placeholders)
                }
            }
        }
    }

    /// Appends a list of terms, which are arguments of the macro `It`, and their descriptions.
    mutating func list(_ items: [(term: String, text: String)], placeholders: Set<String> = []) {
        macro("Bl -tag -width Ds")
        for item in items {
            macro("It \(item.term)")
            prose(item.text, placeholders: placeholders)
        }
        macro("El")
    }

    /// Appends the section about options. The phrases of the help become sentences.
    mutating func optionList(_ options: [Option], placeholders: Set<String>) {
        macro("Sh OPTIONS")
        list(options.map { ($0.manualTerm, $0.help.asSentence) }, placeholders: placeholders)
    }

    mutating func exitStatus() {
        macro("Sh EXIT STATUS")
        list(ExitCode.meanings.map { ("\($0.code.rawValue)", $0.text.asSentence) })
    }

    mutating func environment(_ variables: [EnvironmentVariable]) {
        if variables.isEmpty { return }
        macro("Sh ENVIRONMENT")
        list(variables.map { ("Ev \($0.name)", $0.text) })
    }

    mutating func seeAlso(_ pages: [(name: String, section: Int)]) {
        macro("Sh SEE ALSO")
        for (index, page) in pages.enumerated() {
            macro("Xr \(page.name) \(page.section)\(index < pages.count - 1 ? " ," : "")")
        }
    }
}

extension String {
    /// A phrase with a capital letter at its start and a full stop.
    fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}

extension Option {
    /// As arguments of a macro: `Fl r , Fl -raw`.
    var manualTerm: String { (letter.map { "Fl \($0) , " } ?? "") + longTerm }

    /// As arguments of a macro: `Fl -default Ns = Ns Ar JSON`.
    var longTerm: String {
        let long = "Fl -\(MdocText.literal(name))"
        return value.map { "\(long) Ns = Ns \(Command.Operand.macros(for: $0))" } ?? long
    }
}

extension Command.Operand {
    /// As arguments of a macro: `Ar PATH Ns = Ns Ar JSON`.
    static func macros(for placeholder: String) -> String {
        let words = placeholder.replacing("|", with: " | ").split(separator: " ")
        return words.map { word in
            if word == "|" { return "|" }
            let parts = word.split(separator: "=").map { part in
                let isPlaceholder = part.first?.isUppercase == true
                return "\(isPlaceholder ? "Ar" : "Cm") \(MdocText.literal(String(part)))"
            }
            return parts.joined(separator: " Ns = Ns ")
        }.joined(separator: " ")
    }
}
