import LosslessJSON
import Testing

/// One line of a text with a caret below the location.
@Suite struct JSONExcerptTests {
    private func excerpt(ofErrorIn text: String) -> String? {
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }?.excerpt?.description
    }

    @Test(
        "The caret is in the line of the error, below the wrong character",
        arguments: [
            ("[1 2]", "[1 2]\n   ^"),
            ("{\n  \"a\": 1\n  \"b\": 2\n}\n", "  \"b\": 2\n  ^"),
            ("{\r\n  \"a\": x\r\n}", "  \"a\": x\n       ^"),
            ("{\r  \"a\": x\r}", "  \"a\": x\n       ^"),
            ("[\t\tx]", "[  x]\n   ^"),
            ("[\"ü€😀\", x]", "[\"ü€😀\", x]\n        ^"),
            ("\u{FEFF}[x]", "[x]\n ^"),
            ("\u{FEFF}x", "x\n^"),
            ("[1,\n", "[1,\n   ^"),
            ("{\n  \"a\": 1 \n\n\n", "  \"a\": 1 \n        ^"),
            ("[1,", "[1,\n   ^"),
            ("", "\n^"),
            ("[\"a\n\"]", "[\"a\n   ^"),
            ("[\"a\r\n\"]", "[\"a\n   ^"),
        ])
    func caret(text: String, expected: String) {
        #expect(excerpt(ofErrorIn: text) == expected)
    }

    @Test(
        "Control and invisible characters are replaced in excerpts",
        arguments: [0x1B, 0, 0x7F, 0x85, 0x9B, 0x202E, 0x2066, 0x200B, 0x2028, 0x2029] as [UInt32])
    func controls(codePoint: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(codePoint))
        #expect(excerpt(ofErrorIn: "[/*\(scalar)*/ x]") == "[/*\u{FFFD}*/ x]\n       ^")
    }

    @Test("A long line is truncated on both sides of the location and marked with ellipses")
    func longLine() {
        let text = "[\"" + String(repeating: "a", count: 500) + "\" " + String(repeating: "b", count: 500) + "]"
        let expected =
            "…" + String(repeating: "a", count: 58) + "\" " + String(repeating: "b", count: 40) + "…\n"
            + String(repeating: " ", count: 61) + "^"
        #expect(excerpt(ofErrorIn: text) == expected)
    }

    @Test("A line of exactly the maximum length is not truncated")
    func exactLine() {
        let (left, right) = (String(repeating: "€", count: 56), String(repeating: "x", count: 40))
        let line = "[\"\(left)\" \(right)"
        #expect(excerpt(ofErrorIn: "\n\(line)\n") == line + "\n" + String(repeating: " ", count: 60) + "^")
        #expect(excerpt(ofErrorIn: "\n \(line)\n")?.hasPrefix("…[\"€") == true)
        #expect(excerpt(ofErrorIn: "\n\(line)x\n")?.hasPrefix(line + "…\n") == true)
    }

    @Test("A long line is never truncated within a character", arguments: ["ü", "€", "😀"])
    func cutCharacters(character: String) throws {
        for padding in 0..<8 {
            let fill = String(repeating: " ", count: padding)
            let string = "\"" + String(repeating: character, count: 300) + "\""
            let shown = try #require(excerpt(ofErrorIn: "[\(fill)\(string) x \(fill)\(string)]"))
            #expect(!shown.contains("\u{FFFD}"))
        }
    }

    @Test("The character above the caret is the one at the requested offset")
    func everywhere() throws {
        let text = "{\r\n\t\"ключ\": [1, \"😀 and more\"], // комментарий\n  \"empty\": {}\n}\n"
        let document = try JSONDocument(parsing: text)
        var offset = 0
        for scalar in text.unicodeScalars {
            let excerpt = document.excerpt(at: offset)
            let shown = Array(excerpt.line.unicodeScalars)
            switch scalar {
            case "\n", "\r": break
            case "\t": #expect(shown[excerpt.indentation] == " ")
            default: #expect(shown[excerpt.indentation] == scalar, "at \(offset)")
            }
            offset += String(scalar).utf8.count
        }
        #expect(document.excerpt(at: offset).description == "\n^")
        #expect(document.excerpt(at: offset + 1_000).description == "\n^")
    }

    @Test("A report has the form FILE:LINE:COLUMN that editors recognize")
    func report() throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONDocument(parsing: "{\n  \"a\" 1\n}") }
        #expect(
            error.report(file: "config.json")
                == "config.json:2:7: error: expected \":\" after the key, found \"1\"\n  \"a\" 1\n      ^")
        #expect(error.severity == .error)
        #expect(error.location == error.position)
        #expect(error.excerpt != nil)
    }

    @Test("An offset outside the text is clamped to the text")
    func outside() throws {
        let document = try JSONDocument(parsing: "[\n1]")
        #expect(document.location(at: -1) == document.location(at: 0))
        #expect(document.excerpt(at: -1) == document.excerpt(at: 0))
        #expect(document.location(at: 99) == document.location(at: 4))
        #expect(document.excerpt(at: 99) == document.excerpt(at: 4))
    }
}
