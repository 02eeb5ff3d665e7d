import LosslessJSON
import Testing

/// Texts of white space and comments, which are an empty object if the options say so.
@Suite("Texts without a value") struct BlankTextTests {
    private static let options = {
        var options = JSONDocument.Options()
        options.acceptsBlankText = true
        return options
    }()

    @Test("A text of white space and comments is an empty object", arguments: ["", " \n\t\r\n ", "// a", "/* a */\n"])
    func blank(text: String) throws {
        let document = try JSONDocument(parsing: text, options: Self.options)
        #expect(document.isBlank && document.value == [:] && document.text == text && document.warnings.isEmpty)
        #expect(document.range(of: "") == text.utf8.count..<text.utf8.count && document.range(of: "/a") == nil)
        #expect(try document.decode([String: Int].self) == [:])
        #expect(try document.applying([]).text == text)
    }

    @Test("Without the option a text without a value is an error at its end", arguments: ["", " \n", "// a\n"])
    func rejected(text: String) throws {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
        #expect(error?.code == .unexpectedEnd && error?.message == "expected a value, found the end of the text")
    }

    @Test(
        "A text that is not blank is rejected as without the option", arguments: ["[", "{", "/", "/* a", "a", "[//\n"])
    func invalid(text: String) throws {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text, options: Self.options) }
        let expected = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
        #expect(error == expected)
    }

    @Test("Comments are no blank text in strict JSON") func strict() throws {
        var options = Self.options
        options.dialect = .json
        #expect(try JSONDocument(parsing: "\n", options: options).isBlank)
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: "// a\n", options: options) }
    }

    @Test(
        "The first edit adds an object after the comments",
        arguments: [
            ("", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"), ("\n\n", "\n\n{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
            ("// settings", "// settings\n{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
            ("\u{FEFF}", "\u{FEFF}{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
            ("/* all\n   of it */\n", "/* all\n   of it */\n{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
        ])
    func edited(text: String, result: String) throws {
        let edited = try JSONDocument(parsing: text, options: Self.options).setting("/a/b", to: 1)
        #expect(edited.text == result && !edited.isBlank)
        #expect(try JSONDocument(parsing: result).value == edited.value)
        #expect(try edited.removing("/a").value == [:])
    }

    @Test("An object that exceeds the limits of the document is an error") func limits() throws {
        var options = Self.options
        options.sizeLimit = 3
        let short = try JSONDocument(parsing: "", options: options)
        #expect(throws: JSONEditError.self) { try short.setting("/a", to: 1) }
        (options.sizeLimit, options.depthLimit) = (1_000, 0)
        let flat = try JSONDocument(parsing: "", options: options)
        let error = #expect(throws: JSONEditError.self) { try flat.setting("/a", to: 1) }
        #expect(error?.code == .depth)
    }

    @Test("A text can be emptied and filled again") func reparsed() throws {
        let full = try JSONDocument(parsing: "{ \"a\": [1, 2] }", options: Self.options)
        let blank = try full.reparsed("// nothing yet\n")
        #expect(!full.isBlank && blank.isBlank && blank.value == [:])
        let again = try blank.reparsed("{ \"a\": [1, 2] }")
        #expect(!again.isBlank && again.value == full.value)
    }
}
