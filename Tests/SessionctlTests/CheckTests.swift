import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl check")
struct CheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("check prints nothing for valid files")
    func valid() throws {
        try folder.write("a.json", "{\"port\": 8080}\n")
        try folder.write("b.json", "// yes\n[1, 2, /* three */ 3,]\n")
        #expect(try folder.sessionctl("check", "a.json", "b.json") == Program.Result(code: 0))
    }

    @Test("check reports an error with file, line, column, the line and a caret")
    func error() throws {
        try folder.write("bad.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n")
        let result = try folder.sessionctl("check", "bad.json")
        #expect(result.code == 1)
        #expect(result.output == "")
        // The text of the message is tested with the library.
        let lines = result.messages.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.hasPrefix(#"bad.json:3:3: error: expected "," or "}", "#) == true)
        #expect(lines.dropFirst() == [#"  "b": 2"#, "  ^", ""])
    }

    @Test(
        "check --strict accepts only RFC 8259",
        arguments: [("// yes\n1", "1:1"), ("[1, /* two */ 3]", "1:5"), ("[1,]", "1:4"), ("{\"a\": 1,\n}", "2:1")])
    func strict(text: String, location: String) throws {
        try folder.write("a.json", text)
        #expect(try folder.sessionctl("check", "a.json") == Program.Result(code: 0))
        let result = try folder.sessionctl("check", "--strict", "a.json")
        #expect(result.code == 1)
        #expect(result.messages.hasPrefix("a.json:\(location): error: "))
        #expect(result.output == "")
    }

    @Test("check warns about a duplicate key and exits with 0")
    func duplicateKey() throws {
        try folder.write("twice.json", "{\n  \"a\": 1,\n  \"a\": 2\n}")
        let report = """
            twice.json:3:3: warning: duplicate key "a"; the earlier one at 2:3 is ignored
              "a": 2
              ^

            """
        #expect(try folder.sessionctl("check", "twice.json") == Program.Result(code: 0, messages: report))
        #expect(try folder.sessionctl("check", "--strict", "twice.json") == Program.Result(code: 0, messages: report))
    }

    @Test("check processes all files and exits with the highest exit code")
    func severalFiles() throws {
        try folder.write("good.json", "1")
        try folder.write("bad.json", "[")
        try folder.write("worse.json", "nul")
        let two = try folder.sessionctl("check", "bad.json", "good.json", "worse.json")
        #expect(two.code == 1)
        #expect(two.messages.contains("bad.json:1:2: error: "))
        #expect(two.messages.contains("\nworse.json:1:1: error: "))

        let missing = try folder.sessionctl("check", "missing.json", "bad.json")
        #expect(missing.code == 3)
        #expect(
            missing.messages.hasPrefix("sessionctl: missing.json: No such file or directory\nbad.json:1:2: error: "))
    }

    @Test("check accepts a thousand files")
    func manyFiles() throws {
        var names: [String] = []
        for number in 0..<1_000 {
            names.append("\(number).json")
            try folder.write("\(number).json", number % 100 == 99 ? "[\(number)" : "[\(number)]")
        }
        let result = try Program.sessionctl.run(["check"] + names, in: folder)
        #expect(result.code == 1)
        let errors = result.messages.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(errors.map { $0.prefix { $0 != ":" } } == (0..<10).map { "\($0 * 100 + 99).json" })
    }

    @Test("check reads - from standard input and reports it as <stdin>")
    func standardInput() throws {
        #expect(try folder.sessionctl("check", "-", input: Array("[1]".utf8)) == Program.Result(code: 0))
        let result = try folder.sessionctl("check", "-", input: Array("[1\n,,2]".utf8))
        #expect(result.code == 1)
        #expect(result.messages.hasPrefix("<stdin>:2:2: error: "))
    }

    @Test("check reads standard input among other files, but only once")
    func standardInputAmongFiles() throws {
        try folder.write("good.json", "1")
        let once = try folder.sessionctl("check", "good.json", "-", "good.json", input: Array("]".utf8))
        #expect(once.code == 1)
        #expect(once.messages.hasPrefix("<stdin>:1:1: error: "))

        let twice = try folder.sessionctl("check", "-", "good.json", "-", input: Array("1".utf8))
        #expect(twice.code == 2)
        #expect(twice.messages.hasPrefix("sessionctl: standard input (-) can be read only once\nusage: "))
    }

    @Test("check reads a file named - by its path")
    func fileNamedMinus() throws {
        try folder.write("-", "[")
        #expect(try folder.sessionctl("check", "./-").messages.hasPrefix("./-:1:2: error: "))
    }

    @Test("check --json prints an object per error and warning, with the place and a code")
    func json() throws {
        try folder.write("twice.json", "{\n  \"a\": 1,\n  \"a\": 2\n}")
        try folder.write("bad.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n")
        try folder.write("good.json", "1")
        let result = try folder.sessionctl(
            "check", "--json", "twice.json", "bad.json", "good.json", "missing.json", "-", input: Array("]".utf8))
        #expect(result.code == 3 && result.messages == "")
        let objects = try result.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(
            objects.map { "\($0["file"]!) \($0["severity"]!) \($0["code"]!) \($0["line"] ?? 0):\($0["column"] ?? 0)" }
                == [
                    #""twice.json" "warning" "duplicate-key" 3:3"#, #""bad.json" "error" "unexpected" 3:3"#,
                    #""missing.json" "error" "unreadable" 0:0"#, #""<stdin>" "error" "unexpected" 1:1"#,
                ])
        #expect(objects[3]["message"]?.string?.hasPrefix("expected a value, ") == true)
        try folder.write("a\u{200B}.json", "[")
        let odd = try folder.sessionctl("check", "--json", "a\u{200B}.json")
        #expect(try JSON(parsing: odd.output)["file"] == "a\u{200B}.json" && odd.output.contains("\\u200b"))
        #expect(objects[2]["message"] == "missing.json: No such file or directory")
        #expect(try folder.sessionctl("check", "--json", "good.json") == Program.Result(code: 0))
    }

    @Test("check without a file is a usage error")
    func noFile() throws {
        let usage = """
            sessionctl: FILE is missing
            usage: sessionctl check [OPTION…] FILE…
            more: sessionctl check --help

            """
        #expect(try folder.sessionctl("check") == Program.Result(code: 2, messages: usage))
        #expect(try folder.sessionctl("check", "--strict", "--") == Program.Result(code: 2, messages: usage))
    }
}
