import TestSupport
import Testing

@Suite("The arguments of sessionctl watch")
struct WatchArgumentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"a": 1}"#)
    }

    @Test(
        "are refused in words where they make no sense",
        arguments: [
            ([], "FILE is missing"),
            (["-"], "standard input (-) cannot be watched; a file of that name is ./-"),
            (["a.json", "--count", "0"], "--count: 0 is no whole number above 0"),
            (["a.json", "--count", "-1"], "--count: -1 is no whole number above 0"),
            (["a.json", "--count=1.5"], "--count: 1.5 is no whole number above 0"),
            (["a.json", "--count="], "--count:  is no whole number above 0"),
            (["a.json", "--timeout", "soon"], "--timeout: soon is no number of seconds"),
            (["a.json", "--timeout", "-1"], "--timeout: -1 is no number of seconds"),
            (["a.json", "--timeout", "nan"], "--timeout: nan is no number of seconds"),
            (["a.json", "--until", "a"], "--until: a is not PATH=JSON"),
            (
                ["a.json", "--until", "a=x"],
                "--until: x is no JSON: expected a value, found \"x\"; strings stand in double quotes"
            ),
            (["a.json", "--until", "a="], "--until:  is no JSON: expected a value, found the end of the text"),
            (
                ["a.json", "--until", "a..b=1"],
                "PATH: \"a..b\" has an empty name between its dots; an empty key is reached by the form /a//b"
            ),
            (["a.json", "a", "/~"], "PATH: \"/~\" has a tilde that is not followed by 0 (for ~) or 1 (for /)"),
            (["a.json", "--cuont", "1"], "unknown option --cuont; did you mean --count?"),
            (["a.json", "--until"], "the option --until needs a value: --until=PATH=JSON"),
        ])
    func refused(arguments: [String], message: String) throws {
        let usage = """
            usage: sessionctl watch [OPTION…] FILE [PATH…]
            more: sessionctl watch --help

            """
        #expect(
            try Program.sessionctl.run(["watch"] + arguments, in: folder)
                == Program.Result(code: 2, messages: "sessionctl: \(message)\n" + usage))
    }

    @Test("name a key that holds = if JSON follows behind a later one")
    func equalsSign() throws {
        try folder.put("a.json", #"{"a=b": 1, "c": "=2"}"#)
        #expect(try folder.sessionctl("watch", "a.json", "--until", "a=b=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--until", "c=\"=2\"").code == 0)
    }

    @Test("may wait for ever, and not at all")
    func extremeTimes() throws {
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "1e300", "--until", "a=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "inf", "--until", "a=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "0", "--until", "a=1").code == 0)
        #expect(try folder.sessionctl("watch", "a.json", "--timeout", "0").code == 1)
    }

    @Test("of a path that cannot be watched are refused with the reason")
    func unwatchable() throws {
        let result = try folder.sessionctl("watch", "")
        #expect(result.code == 3 && result.output == "" && result.messages.hasPrefix("sessionctl: "), "\(result)")
        let long = try folder.sessionctl("watch", String(repeating: "x/", count: 5000))
        #expect(long.code == 3 && long.output == "" && long.messages.hasPrefix("sessionctl: "), "\(long)")
    }
}
