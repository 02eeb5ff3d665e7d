import Foundation
import Testing

/// The page of the documentation that shows every example.
@Suite("The page of examples") struct ExamplePageTests {
    @Test("shows what the tests say; make pages writes it anew") func page() throws {
        var root = URL(fileURLWithPath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        root.deleteLastPathComponent()
        let file = root.appending(path: "Sources/LosslessJSON/LosslessJSON.docc/EditingByExample.md")
        let page = Data(ExamplePage.text.utf8)
        if ProcessInfo.processInfo.environment["SESSIONMIRROR_WRITE_PAGES"] != nil {
            try page.write(to: file)
        } else {
            #expect(try Data(contentsOf: file) == page)
        }
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

        What an edit does to a text: every case that the tests know, as they know it.

        ## Overview

        On the left the text before, on the right the text after. This page is written by the tests (`make pages`), and a test
        fails where it does not say what the library does. Signs that cannot be seen are shown as pictures: ␍ is a carriage
        return, ⇥ a tab, ⌜ a byte-order mark, and ⊣ stands where the last line does not end.


        """

    private static func section(_ example: EditCase) -> String {
        """
        ### \(example.title.prefix(1).uppercased() + example.title.dropFirst())

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
