import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("The form of the output of sessionctl watch") struct WatchFormTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", "{\n  \"n\": 1,\n  \"s\": \"x\"\n}")
    }

    /// The lines of standard output for one edit, and the messages.
    private func result(_ options: String..., edit text: String) throws -> Program.Result {
        let watch = try Program.sessionctl.start(["watch", "a.json"] + options, in: folder)
        let usesJSON = options.contains("--json")
        if !usesJSON {
            try eventually("the file is watched") { try watch.readMessages().contains("watching") }
        }
        try folder.put("a.json", text)
        return try watch.end()
    }

    @Test(
        "--format prints each change with its fields",
        arguments: [
            ("{file}:{line} {path} {kind} {old} {new}", "a.json:1 n changed 1 2\na.json:1 s changed \"x\" \"y\\nz\"\n"),
            ("{pointer}\\t{version}\\\\{{}}", "/n\t2\\{}\n/s\t2\\{}\n"), ("", "\n\n"), ("é{new}", "é2\né\"y\\nz\"\n"),
            ("{version}\u{301}{{\u{301}\r\\n", "2\u{301}{\u{301}\r\n\n2\u{301}{\u{301}\r\n\n"),
        ])
    func template(template: String, output: String) throws {
        let result = try result("--format", template, "--count", "2", edit: #"{"n": 2, "s": "y\nz"}"#)
        #expect(result == Program.Result(code: 0, output: output, messages: "a.json: watching\n"))
    }

    @Test("--raw prints strings without quotes; absent values are empty") func raw() throws {
        let result = try result(
            "--format", "{kind}:{path}:{old}:{new}:", "-r", "--count", "3", edit: #"{"s": "y\nz", "m": {}}"#)
        #expect(result.output == "removed:n:1::\nchanged:s:x:y\nz:\nadded:m::{}:\n")
    }

    @Test("{time} is the local time of the change") func time() throws {
        let result = try result("--format", "{time}", "--count", "1", edit: "{}")
        #expect(result.output.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d\n$/), "\(result.output)")
    }

    @Test(
        "A template that cannot be used is rejected",
        arguments: [
            ("{pth}", "{pth} is no field; did you mean {path}?"),
            ("{}", "{} is no field; fields: file, line, path, pointer, kind, old, new, version, time"),
            ("{new", "a { has no }; write {{ for a brace"), ("new}", "a } has no {; write }} for a brace"),
            ("\\x", "a backslash needs n, t or another backslash after it"),
            ("a\\", "a backslash needs n, t or another backslash after it"),
        ])
    func invalidTemplate(template: String, message: String) throws {
        let result = try folder.sessionctl("watch", "a.json", "--format", template)
        #expect(result.code == 2 && result.messages.hasPrefix("sessionctl: --format: \(message)\n"), "\(result)")
    }

    @Test(
        "Options that do not belong together are rejected",
        arguments: [
            (["--json", "--format", "x"], "--json and --format exclude each other"),
            (
                ["--json", "--exec", "--", "true"],
                "--json and --exec exclude each other: the command receives each change as JSON"
            ),
            (["--raw"], "--raw needs --format"), (["--raw", "--json"], "--raw needs --format"),
            (["--", "echo", "hi"], "a command after -- needs --exec before it; write --at=PATH for a path"),
            (["--signal", "HUP", "--pid", "-"], "--pid: standard input (-) cannot be read for each change"),
            (["--signal", "HUP", "--pid", "1234"], "--pid: there is no file 1234; write the name of a file that has"),
            (["--restart"], "--restart needs --exec"),
            (["--grace", "1"], "--grace needs --exec"), (["--pid", "f"], "--pid needs --signal"),
            (["--signal", "HUP"], "--signal needs --exec or --pid"),
            (["--signal", "HUP", "--pid", "f", "--exec", "--", "true"], "--exec and --pid exclude each other"),
            (["--signal", "HUP", "--restart", "--exec", "--", "true"], "--restart and --signal exclude each other"),
            (["--signal", "HOP", "--pid", "f"], "--signal: HOP is not a signal; signals are 1 to 64, HUP, INT,"),
            (["--signal", "0", "--pid", "f"], "--signal: 0 is not a signal"),
            (["--initial", "--no-initial"], "--initial and --no-initial exclude each other"),
            (["--grace", "x", "--exec", "--", "true"], "--grace: x is not a number of seconds"),
            (["--debounce", "x"], "--debounce: x is not a number of seconds"),
            (["--exec", "true"], "the command is missing: write it last, after --, as in --exec -- CMD ARG"),
            (["--exec", "--"], "the command is missing: write it last, after --, as in --exec -- CMD ARG"),
            (["--exec", "--", ""], "the command is missing: write it last, after --, as in --exec -- CMD ARG"),
        ])
    func excluded(options: [String], message: String) throws {
        let result = try Program.sessionctl.run(["watch", "a.json"] + options, in: folder)
        #expect(result.code == 2 && result.output == "", "\(result)")
        #expect(result.messages.hasPrefix("sessionctl: \(message)"), "\(result.messages)")
    }

    @Test("A pattern that no shell has expanded is rejected", arguments: ["conf.d/*.json", "a?.json", "[ab].json"])
    func pattern(name: String) throws {
        let result = try folder.sessionctl("watch", name)
        #expect(
            result.code == 2 && result.messages.hasPrefix("sessionctl: \(name): no file has this name; "), "\(result)")
    }

    @Test("A path without a value is reported at the beginning, except with --json") func missingPath() throws {
        func messages(_ arguments: String...) throws -> String {
            try Program.sessionctl.run(["watch"] + arguments + ["--timeout", "0"], in: folder).messages
        }
        let end = "timed out after 0 s\n"
        #expect(
            try messages("a.json", "m", "s") == """
                sessionctl: a.json: no value at m: the root is an object without the key "m"; nearest: "n", "s"; waiting for one
                sessionctl: a.json: \(end)
                """)
        try folder.put("b.json", #"{"n": 1}"#)
        #expect(
            try messages("a.json", "b.json", "m", "s")
                == "sessionctl: no value at m in any file; waiting for one\nsessionctl: 2 files: \(end)")
        #expect(try messages("--json", "a.json", "m") == "sessionctl: a.json: \(end)")
        #expect(try messages("missing.json", "m") == "sessionctl: missing.json: \(end)")
    }

    @Test("A command without a file is rejected") func noFile() throws {
        let result = try folder.sessionctl("watch", "--exec", "--", "true")
        #expect(result.code == 2 && result.messages.hasPrefix("sessionctl: FILE is missing\n"))
    }

    @Test("--initial prints the current value, or the values at the paths") func initial() throws {
        #expect(
            try folder.sessionctl("watch", "a.json", "--initial", "--timeout", "0").output
                == "a.json: watching\na.json:1: (root): {\"n\":1,\"s\":\"x\"}\n")
        #expect(
            try folder.sessionctl("watch", "a.json", "n", "m", "s", "--initial", "--timeout", "0").output
                == "a.json: watching n, m, s\na.json:2: n: 1\na.json:3: s: \"x\"\n")
        let template = try folder.sessionctl(
            "watch", "a.json", "s", "--initial", "--redact", "s", "--format", "{kind} {path} {new}", "--timeout", "0")
        #expect(template.output == "initial s \"<redacted>\"\n")
    }

    @Test("--no-initial --json begins with the first change") func noInitial() throws {
        let watch = try Program.sessionctl.start(
            ["watch", "a.json", "--json", "--no-initial", "--count", "1"], in: folder)
        // Nothing tells when the file is watched: repeats the edit until it is noticed.
        var number = 1
        try eventually("the change is printed") {
            number += 1
            try folder.put("a.json", #"{"n": \#(number), "s": "x"}"#)
            return (try? watch.line(within: .milliseconds(50)))?.contains(#""event":"change""#) == true
        }
        #expect(try watch.end().code == 0)
    }

    @Test("--debounce prints a burst of changes as one") func debounce() throws {
        let watch = try WatchProcess("--debounce", "0.3", "--count", "1", "a.json", "n", in: folder)
        #expect(try watch.line() == "a.json: watching n")
        for number in 2...20 { try folder.put("a.json", #"{"n": \#(number)}"#) }
        #expect(try watch.line() == "a.json:1: n: 1 → 20")
        try watch.end(code: 0)
    }

    @Test("--debounce prints changes that do not end after ten times its time") func endlessBurst() throws {
        let watch = try WatchProcess("--debounce", "0.1", "--count", "1", "a.json", "n", in: folder)
        #expect(try watch.line() == "a.json: watching n")
        let writer = try Program.shell.start(
            ["-c", #"n=1; while :; do n=$((n + 1)); echo "{\"n\": $n}" >b; mv b a.json; sleep 0.01; done"#], in: folder)
        #expect(try watch.line().hasPrefix("a.json:1: n: 1 → "))
        writer.send(SIGKILL)
        try watch.end(code: 0)
    }
}
