import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl diff")
struct DiffTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{ \"port\": 1, \"gone\": [1], \"same\": 1.0, \"deep\": { \"x\": null } }\n")
        try folder.write(
            "b.json",
            "{\n  \"deep\": { \"x\": \"\\u001b[31m\" }, // red\n  \"same\": 1,\n  \"new\": {},\n  \"port\": 2\n}\n")
    }

    @Test("diff prints one line per difference") func lines() throws {
        let result = try folder.sessionctl("diff", "a.json", "b.json")
        #expect(
            Set(result.output.split(separator: "\n")) == [
                "~ port: 1 → 2", "- gone: [1]", "+ new: {}", "~ deep.x: null → \"\\u001b[31m\"",
            ])
        #expect(result.code == 1 && result.messages.isEmpty)
        #expect(try folder.sessionctl("diff", "a.json", "a.json") == Program.Result(code: 0))
    }

    @Test("diff --json prints one object per difference with the line in the second file") func objects() throws {
        let result = try folder.sessionctl("diff", "--json", "a.json", "b.json")
        let objects = try result.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
        let expected: Set<JSON> = [
            ["path": "/port", "old": 1, "new": 2, "line": 5], ["path": "/gone", "old": [1]],
            ["path": "/new", "new": [:], "line": 4], ["path": "/deep/x", "old": nil, "new": "\u{1B}[31m", "line": 2],
        ]
        #expect(Set(objects) == expected && result.code == 1)
    }

    @Test("diff uses colors on a terminal unless NO_COLOR is set", .needs(.python3)) func colors() throws {
        let script = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
        func run(_ environment: [String: String]) throws -> Program.Result {
            try Programs.python3.program.run(
                ["-c", script, Program.sessionctl.path, "diff", "a.json", "b.json"], in: folder,
                environment: environment)
        }
        let colored = try run(["NO_COLOR": ""])
        #expect(colored.output.contains("\u{1B}[33m~ port: 1 → 2\u{1B}[0m"), "\(colored)")
        let plain = try run(["NO_COLOR": "1"])
        #expect(plain.output.contains("~ port: 1 → 2") && !plain.output.contains("\u{1B}"), "\(plain)")
    }

    @Test("diff reads one of the files from standard input") func pipe() throws {
        let result = try folder.sessionctl("diff", "-", "b.json", input: Array("{}".utf8))
        #expect(result.code == 1 && result.output.contains("+ port: 2\n"))
        #expect(try folder.sessionctl("diff", "-", "-", input: []).code == 2)
    }

    @Test("diff exits with 3 if a file is invalid, missing or too large") func invalidOrMissing() throws {
        try folder.write("c.json", "{")
        let broken = try folder.sessionctl("diff", "a.json", "c.json")
        #expect(broken.code == 3 && broken.messages.hasPrefix("c.json:1:2: error: "))
        #expect(try folder.sessionctl("diff", "none.json", "a.json").code == 3)
        #expect(try folder.shell("truncate -s 300M large.json; exec \"$0\" diff a.json large.json").code == 3)
    }
}
