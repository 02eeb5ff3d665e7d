import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch --exec") struct WatchExecTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"n": 1}"#)
    }

    @Test("The command has the change in its environment and on standard input") func received() throws {
        let watch = try ExecProcess(
            "--count", "1", in: folder,
            running: #"echo "$SESSION_FILE $SESSION_PATH ${SESSION_OLD-none} ${SESSION_NEW-none}"; cat"#)
        try watch.put(2)
        #expect(try watch.line() == "a.json n 1 2")
        let change = JSONLine(try JSON(parsing: #require(try watch.line())))
        #expect(
            change == #"""
                {"event": "change", "file": "a.json", "version": 2, "origin": "external",
                 "changes": [{"path": "/n", "old": 1, "new": 2, "line": 1}]}
                """#)
        #expect(try watch.end() == Program.Result(code: 0, messages: "a.json: watching\na.json:1: n: 1 → 2\n"))
    }

    @Test(
        "SESSION_PATH is the nearest value that contains all changes; absent values set no variable",
        arguments: [
            (#"{"n": 1, "m": "x"}"#, #"m none "x""#), ("{}", "n 1 none"),
            (#"{"n": 2, "m": 3}"#, #" {"n":1} {"n":2,"m":3}"#),
            (#"{"n": {"a": 1, "b": 2}}"#, #"n 1 {"a":1,"b":2}"#),
        ])
    func paths(text: String, line: String) throws {
        let watch = try ExecProcess(
            "--count", "1", in: folder, running: #"echo "$SESSION_PATH ${SESSION_OLD-none} ${SESSION_NEW-none}""#,
            environment: ["SESSION_OLD": "outer", "SESSION_NEW": "outer"])
        try folder.put("a.json", text)
        #expect(try watch.line() == line)
        #expect(try watch.end().code == 0)
    }

    @Test("A value of more than 32 KiB is on standard input only") func largeValue() throws {
        let watch = try ExecProcess(
            "--count", "1", in: folder, running: #"echo "$SESSION_OLD ${SESSION_NEW-none}"; wc -c"#)
        try folder.put("a.json", #"{"n": "\#(String(repeating: "x", count: 1 << 20))"}"#)
        #expect(try watch.line() == "1 none")
        let count = try #require(Int(watch.line() ?? ""))
        #expect(count > 1 << 20)
        #expect(try watch.end().code == 0)
    }

    @Test("A path that the environment cannot have is on standard input only", arguments: ["\\u0000", "long"])
    func unusualPath(key: String) throws {
        let watch = try ExecProcess("--count", "1", in: folder, running: #"echo "${SESSION_PATH-none}"; wc -c"#)
        let name = key == "long" ? String(repeating: "x", count: 1 << 20) : key
        try folder.put("a.json", #"{"n": 1, "\#(name)": 1}"#)
        #expect(try watch.line() == "none")
        let count = try #require(Int(watch.line() ?? ""))
        #expect(count > name.utf8.count)
        #expect(try watch.end().code == 0)
    }

    @Test("Redacted values reach no command") func redacted() throws {
        let watch = try ExecProcess(
            "--redact", "n", "--count", "1", in: folder, running: #"echo "$SESSION_OLD $SESSION_NEW"; cat"#)
        try watch.put(2)
        #expect(try watch.line() == #""<redacted>" "<redacted>""#)
        #expect(try watch.line()?.contains(#""old":"<redacted>","new":"<redacted>""#) == true)
    }

    @Test("Arguments reach the program verbatim, without a shell") func verbatim() throws {
        let words = ["two words", "$HOME", "*", "--count", "ü", ""]
        let watch = try Program.sessionctl.start(
            ["watch", "a.json", "--count", "1", "--exec", "--", "printf", "<%s>\\n"] + words, in: folder)
        try eventually("the file is watched") { try watch.readMessages().contains("watching") }
        try folder.put("a.json", #"{"n": 2}"#)
        for word in words { #expect(try watch.line() == "<\(word)>") }
        #expect(try watch.end().code == 0)
    }

    @Test("A burst of changes during a run is followed by one run for the newest value") func burst() throws {
        let watch = try ExecProcess(
            in: folder, running: #"echo "$SESSION_OLD $SESSION_NEW"; until test -e go; do sleep 0.01; done"#)
        try watch.put(2)
        #expect(try watch.line() == "1 2")
        for number in 3...50 { try watch.put(number) }
        try watch.waitForChange(to: 50)
        try folder.write("go", "")
        #expect(try watch.line() == "2 50")
        try watch.put(51)
        #expect(try watch.line() == "50 51")
        watch.program.send(SIGTERM)
        #expect(try watch.end() == Program.Result(code: 128 + SIGTERM, messages: watch.program.readMessages()))
    }

    @Test("A change that is reverted during a run is followed by no run") func reverted() throws {
        let watch = try ExecProcess(
            in: folder, running: #"echo "$SESSION_OLD $SESSION_NEW"; until test -e go; do sleep 0.01; done"#)
        try watch.put(2)
        #expect(try watch.line() == "1 2")
        try watch.put(3)
        try watch.waitForChange(to: 3)
        try watch.put(2)
        try watch.waitForChange(from: 3, to: 2)
        try folder.write("go", "")
        try watch.put(4)
        #expect(try watch.line() == "2 4")
    }

    @Test("A command that fails is reported, and run again for the next change") func failing() throws {
        let watch = try ExecProcess("--count", "3", in: folder, running: "echo $SESSION_NEW; exit $((SESSION_NEW - 2))")
        for number in 2...4 {
            try watch.put(number)
            #expect(try watch.line() == "\(number)")
        }
        #expect(try watch.end().code == 1)
        #expect(
            try watch.messages() == [1, 2].map { "sessionctl: /bin/sh ended with exit status \($0)" })
    }

    @Test("A command that was ended by a signal is reported") func killed() throws {
        let watch = try ExecProcess("--count", "1", in: folder, running: "kill -KILL $$")
        try watch.put(2)
        #expect(try watch.end().code == 1)
        #expect(try watch.messages() == ["sessionctl: /bin/sh was ended by SIGKILL"])
    }

    @Test("watch exits with 0 if the last run succeeded") func recovering() throws {
        let watch = try ExecProcess("--count", "2", in: folder, running: "echo; test $SESSION_NEW != 2")
        try watch.put(2)
        #expect(try watch.line() == "")
        try watch.put(3)
        #expect(try watch.end().code == 0)
    }

    @Test(
        "A command that cannot be executed ends watch before it begins",
        arguments: [
            ("no-such-command", "No such file or directory"), ("/no/such/command", "No such file or directory"),
            ("./a.json", "Permission denied"), ("a.json", "Permission denied"), ("/tmp", "Permission denied"),
            ("./a.json/b", "Not a directory"),
            (
                "echo changed",
                "No such file or directory; --exec uses no shell: write each argument as a word of its own"
            ),
        ])
    func missing(name: String, reason: String) throws {
        let result = try Program.sessionctl.run(
            ["watch", "a.json", "--exec", "--", name], in: folder, environment: ["PATH": "/usr/bin:."])
        #expect(result == Program.Result(code: 3, messages: "sessionctl: \(name): \(reason)\n"))
    }

    @Test("A command that disappears is reported at each change, and found again") func disappearing() throws {
        try folder.write("command", "#!/bin/sh\necho $SESSION_NEW\n")
        try #require(chmod(folder.path(of: "command"), 0o755) == 0)
        let watch = try Program.sessionctl.start(
            ["watch", "a.json", "--exec", "--", "./command"], in: folder)
        try eventually("the file is watched") { try watch.readMessages().contains("watching") }
        try folder.rename("command", to: "moved")
        try folder.put("a.json", #"{"n": 2}"#)
        try eventually("the failure is reported") {
            try watch.readMessages().contains("sessionctl: ./command cannot be started: No such file or directory\n")
        }
        try folder.rename("moved", to: "command")
        try folder.put("a.json", #"{"n": 3}"#)
        #expect(try watch.line() == "3")
    }

    @Test("An invalid file runs nothing and is reported; its recovery runs the command") func invalid() throws {
        let watch = try ExecProcess("--count", "1", in: folder, running: "echo $SESSION_OLD $SESSION_NEW")
        try folder.put("a.json", "{")
        try eventually("the problem is reported") { try watch.program.readMessages().contains("a.json:1:2: error: ") }
        try watch.put(2)
        #expect(try watch.line() == "1 2")
        #expect(try watch.end().messages.contains("a.json can be used again\na.json:1: n: 1 → 2\n"))
    }

    @Test("Only changes at the watched paths run the command") func watchedPaths() throws {
        let watch = try ExecProcess("m", "--count", "1", in: folder, running: #"echo "$SESSION_PATH $SESSION_NEW""#)
        try watch.put(2)
        try folder.put("a.json", #"{"n": 3, "m": 1}"#)
        #expect(try watch.line() == "m 1")
        #expect(try watch.end().code == 0)
    }
}
