import TestSupport
import Testing

@Suite("Arguments of sessionctl watch")
struct WatchArgumentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"a": 1}"#)
    }

    @Test(
        "watch rejects invalid arguments with a message and the usage",
        arguments: [
            ([], "FILE is missing"),
            (["-"], "standard input (-) cannot be watched; a file of that name is ./-"),
            (["a.json", "--count", "0"], "--count: 0 is not a positive whole number"),
            (["a.json", "--count", "-1"], "--count: -1 is not a positive whole number"),
            (["a.json", "--count=1.5"], "--count: 1.5 is not a positive whole number"),
            (["a.json", "--count="], "--count:  is not a positive whole number"),
            (["a.json", "--timeout", "soon"], "--timeout: soon is not a number of seconds"),
            (["a.json", "--timeout", "-1"], "--timeout: -1 is not a number of seconds"),
            (["a.json", "--timeout", "nan"], "--timeout: nan is not a number of seconds"),
            (["a.json", "--until", "a"], "--until: a is not PATH=JSON"),
            (
                ["a.json", "--until", "a=x"],
                "--until: x is not valid JSON: expected a value, found \"x\"; strings need double quotes;"
                    + " for a string, write 'a=\"x\"'"
            ),
            (["a.json", "--until", "a="], "--until:  is not valid JSON: expected a value, found the end of the text"),
            (
                ["a.json", "--until", "a..b=1"],
                "PATH: \"a..b\" contains an empty name; write an empty key as /a//b"
            ),
            (["a.json", "a", "/~"], "PATH: \"/~\" has a tilde that is not followed by 0 (for ~) or 1 (for /)"),
            (["a.json", "--at", "a..b"], "PATH: \"a..b\" contains an empty name; write an empty key as /a//b"),
            (["a.json", "b.json", "-"], "standard input (-) cannot be watched; a file of that name is ./-"),
            (
                ["a.json", "conf/b"],
                "conf/b is neither an existing file nor clearly a path inside the JSON; write --at=PATH for a path;"
                    + " a file that does not exist yet is the first operand, or ends in .json or .jsonc"
            ),
            (["a.json", "--cuont", "1"], "unknown option --cuont; did you mean --count?"),
            (["a.json", "--until"], "the option --until needs a value: --until=PATH=JSON"),
        ])
    func rejected(arguments: [String], message: String) throws {
        let usage = """
            usage: sessionctl watch [OPTION…] FILE [FILE|PATH…] [--exec -- CMD ARG…]
            more: sessionctl watch --help

            """
        #expect(
            try Program.sessionctl.run(["watch"] + arguments, in: folder)
                == Program.Result(code: 2, messages: "sessionctl: \(message)\n" + usage))
    }

    @Test("watch --until accepts keys and values that contain an equals sign")
    func equalsSign() throws {
        try folder.put("a.json", #"{"a=b": 1, "c": "=2"}"#)
        #expect(try folder.sessionctl("watch", "a.json", "--until", "a=b=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--until", "c=\"=2\"").code == 0)
    }

    @Test("watch accepts an infinite and a zero timeout")
    func extremeTimes() throws {
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "1e300", "--until", "a=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "inf", "--until", "a=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "0", "--until", "a=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "0").code == 1)
    }

    @Test("watch reports a path that cannot be watched")
    func unwatchable() throws {
        let result = try folder.sessionctl("watch", "")
        #expect(result.code == 3 && result.output == "" && result.messages.hasPrefix("sessionctl: "), "\(result)")
        let long = try folder.sessionctl("watch", String(repeating: "x/", count: 5000))
        #expect(long.code == 3 && long.output == "" && long.messages.hasPrefix("sessionctl: "), "\(long)")
    }
}
