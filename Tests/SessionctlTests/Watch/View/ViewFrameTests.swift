import LosslessJSON
import SessionMirror
import Testing

@testable import sessionctl

@Suite("Frames of the view") struct ViewFrameTests {
    private let hostile: JSON = [
        "esc\u{1B}[2J": "\u{1B}]0;title\u{7}", "\u{9B}31m": "\u{202E}reversed", "wide 東京": "日本語 😀",
        "line\nfeed": "a\nb\r", "": "", "mark\u{301}": "e\u{301}", "long": JSON(String(repeating: "東", count: 500)),
    ]

    private func problem(_ text: String) throws -> SessionProblem {
        do {
            _ = try JSONDocument(parsing: text)
            throw TestError.valid
        } catch let error as JSONSyntaxError {
            return SessionProblem(
                .syntax, in: "a.json", error.message, location: error.location, excerpt: error.excerpt)
        }
    }

    private enum TestError: Error { case valid }

    @Test("Every size has full lines of the right width, in every state") func sizes() throws {
        let problem = try problem("{\n  \"東京東京\": 1,\n  \"b\" 2\n}")
        for columns in [1, 2, 3, 5, 9, 10, 20, 40, 79, 80, 119, 120, 200] {
            for rows in [1, 2, 3, 4, 5, 8, 11, 12, 13, 24, 50] {
                var view = try ViewFixture(hostile, ["x": [1, 2]], columns: columns, rows: rows)
                let size = { (view: ViewFixture) in
                    let lines = view.frame.lines
                    #expect(lines.count == rows && lines.allSatisfy { $0.columns == columns }, "\(columns)×\(rows)")
                }
                size(view)
                view.show(["a": 1, "b": ["c": "東京"]])
                view.report(.invalid(problem))
                size(view)
                view.press(.tab, .down, .end)
                size(view)
                view.type("/東")
                size(view)
                view.press(.enter)
                view.type("?")
                size(view)
                view.state.resize(to: ViewLayout.Size(columns: 1 + columns / 2, rows: 1 + rows / 2))
                #expect(view.frame.lines.count == 1 + rows / 2)
            }
        }
    }

    @Test("No content of a file reaches the terminal as a control character") func controlCharacters() throws {
        var view = try ViewFixture(hostile, columns: 100, rows: 40)
        view.show(["\u{1B}c": hostile])
        view.type("/\u{1B}")
        for line in view.text {
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(line)")
            #expect(!line.unicodeScalars.contains("\u{202E}"), "\(line)")
        }
    }

    @Test("A problem is shown below the last valid tree, with its line, column and excerpt") func problemBelow() throws
    {
        var view = try ViewFixture(["a": 1], columns: 60, rows: 20)
        view.report(.invalid(try problem("{\"東京\": 1 \"b\": 2}")))
        #expect(view.text[0].hasSuffix("version 1 · invalid · live"))
        #expect(view.tree.last == "a 1")
        let place = try #require(view.text.firstIndex { $0.hasPrefix("a.json:1:10: error: ") })
        let excerpt = try #require(view.text.firstIndex { $0 == #"{"東京": 1 "b": 2}"# })
        #expect(excerpt > place)
        #expect(view.text[excerpt + 1] == String(repeating: " ", count: 11) + "^")
        view.report(.good)
        #expect(!view.text.contains { $0.contains("error:") })
    }

    @Test("The caret of a long line stays on the screen") func longLine() throws {
        let text = "[\"" + String(repeating: "東", count: 50) + "\" \"x\"]"
        for columns in [10, 20, 40, 60, 80, 130] {
            var view = try ViewFixture(["a": 1], columns: columns, rows: 30)
            view.report(.invalid(try problem(text)))
            let caret = try #require(view.text.first { $0.hasSuffix("^") && $0.dropLast().allSatisfy { $0 == " " } })
            let line = try #require(view.text.firstIndex(of: caret)).advanced(by: -1)
            #expect(caret.count <= columns)
            #expect(view.text[line].dropping(columns: caret.count - 1).hasPrefix("\""), "\(view.text)")
        }
    }

    @Test("The changes are beside the tree on a wide screen, and below it on others") func wide() throws {
        let wide = try ViewFixture(["a": 1], columns: 160, rows: 20)
        #expect(wide.text[1].contains("▾ a.json") && wide.text[1].contains("│── No changes yet"))
        let narrow = try ViewFixture(["a": 1], columns: 80, rows: 24)
        #expect(!narrow.text[1].contains("│") && narrow.text.contains { $0.hasPrefix("── No changes yet") })
        var small = try ViewFixture(["a": 1], columns: 10, rows: 3)
        #expect(small.text.count == 3 && !small.text.contains { $0.contains("──") })
        small.press(.tab)
        #expect(small.text[1].hasPrefix("── "))
    }

    @Test("The header has the name and the status") func header() throws {
        var view = try ViewFixture(["a": 1], columns: 80)
        #expect(view.text[0] == " a.json" + String(repeating: " ", count: 63) + "version 1")
        view.report(.missing)
        #expect(view.text[0].hasSuffix("   version 1 · missing · live"))
        #expect(view.tree[0] == "▾ a.json no such file; waiting for it · 1 member")
        view.show([:])
        #expect(view.tree[0] == "~ a.json no such file; waiting for it - a")
        view.state.show(.status(MirrorStatus(watching: .notWatching, content: .good)), of: 0)
        #expect(view.text[0].hasSuffix("   version 2 · not watching"))
    }
}
