import Foundation
import Testing

/// The examples of the documentation, rendered from the edit cases.
@Suite("Examples in the documentation") struct ExamplePageTests {
    private static let module: URL = {
        var root = URL(fileURLWithPath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appending(path: "Sources/LosslessJSON/LosslessJSON.docc")
    }()

    @Test("Every example in the article on editing is an edit case") func article() throws {
        let article = try String(contentsOf: Self.module.appending(path: "Editing.md"), encoding: .utf8)
        let cases = EditCase.groups.flatMap(\.cases)
        // Each example starts with a heading of the third level.
        let examples = article.components(separatedBy: "\n### ").dropFirst()
        #expect(examples.count >= 12)
        for example in examples {
            let text = "### " + example.prefix(while: { $0 != "\n" })
            #expect(
                cases.contains { ExamplePage.heading($0) == text && article.contains(ExamplePage.section($0)) },
                "\(text)")
        }
    }

    @Test("The generated page of examples contains every edit case, and make pages writes it") func page() throws {
        let page = ExamplePage.text
        for example in EditCase.groups.flatMap(\.cases) { #expect(page.contains(ExamplePage.section(example))) }
        guard let directory = ProcessInfo.processInfo.environment["SESSIONMIRROR_PAGES"] else { return }
        let url = URL(fileURLWithPath: directory, isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(page.utf8).write(to: url.appending(path: "EditingByExample.md"))
    }
}

private enum ExamplePage {
    static var text: String {
        let groups = EditCase.groups.map { group in
            "## \(group.title)\n\n" + group.cases.map { section($0) }.joined(separator: "\n")
        }
        return introduction + groups.joined(separator: "\n")
    }

    private static let introduction = """
        # Editing by example

        The effect of edits on a text, for every case that the tests cover.

        ## Overview

        The left column shows the text before the edit, the right column the text after it. This page is generated from the
        tests. Invisible characters are shown as symbols: ␍ is a carriage return, ⇥ a tab, ⌜ a byte-order mark, and ⊣
        marks a last line without a line end.


        """

    static func heading(_ example: EditCase) -> String {
        "### \(example.title.prefix(1).uppercased() + example.title.dropFirst())"
    }

    static func section(_ example: EditCase) -> String {
        """
        \(heading(example))

        \(example.edits.map { "- `\($0)`" }.joined(separator: "\n"))

        @Row {
          @Column {
            \(code(example.before))
          }
          @Column {
            \(code(example.after))
          }
        }

        """
    }

    private static func code(_ text: String) -> String {
        var shown = text.unicodeScalars.reduce(into: "") { shown, scalar in
            switch scalar {
            case "\r": shown += "␍"
            case "\t": shown += "⇥"
            case "\u{FEFF}": shown += "⌜"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        if text.unicodeScalars.last == "\n" { shown.removeLast() } else { shown += "⊣" }
        let lines =
            ["```json"] + shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + ["```"]
        return lines.joined(separator: "\n    ").replacing("    \n", with: "\n")
    }
}
