import TestSupport
import Testing

@Suite("sessionctl format")
struct FormatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("format rewrites files, and format --check only lists files that would change") func files() throws {
        try folder.write("a.json", "{\"a\":1, // one\n\"b\":[1,2]}")
        try folder.write("b.json", "[]\n")
        #expect(
            try folder.sessionctl("format", "--check", "a.json", "b.json")
                == Program.Result(code: 1, messages: "a.json: would be reformatted\n"))
        #expect(try folder.read("a.json") == "{\"a\":1, // one\n\"b\":[1,2]}")
        #expect(try folder.sessionctl("format", "a.json", "b.json") == Program.Result(code: 0))
        #expect(try folder.read("a.json") == "{\n  \"a\": 1, // one\n  \"b\": [1, 2]\n}\n")
        #expect(try folder.sessionctl("format", "--check", "a.json", "b.json") == Program.Result(code: 0))
    }

    @Test("format processes all files and leaves invalid ones unchanged") func broken() throws {
        try folder.write("a.json", "{")
        try folder.write("b.json", "[ ]")
        let result = try folder.sessionctl("format", "a.json", "none.json", "b.json")
        #expect(
            result.code == 3 && result.messages.contains("a.json:1:2: error: ")
                && result.messages.contains("none.json: "))
        #expect(try folder.read("a.json") == "{")
        #expect(try folder.read("b.json") == "[]\n")
    }

    @Test("format writes standard input to standard output") func pipe() throws {
        #expect(
            try folder.sessionctl("format", "-", input: Array("[ ]".utf8)) == Program.Result(code: 0, output: "[]\n"))
        #expect(try folder.sessionctl("format", "--check", "-", input: Array("[ ]".utf8)).code == 1)
    }
}
