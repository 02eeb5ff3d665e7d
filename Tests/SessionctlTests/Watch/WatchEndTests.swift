import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("The end of sessionctl watch")
struct WatchEndTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"a": 1, "b": "x=y", "c": {"d": [1.0]}}"#)
    }

    @Test("watch --count exits after the number of printed changes, or of printed versions with --json")
    func count() throws {
        let lines = try WatchProcess("--count", "3", "a.json", in: folder)
        let objects = try WatchProcess("--json", "--count", "2", "a.json", in: folder)
        #expect(try lines.line() == "a.json: watching")
        #expect(try objects.event().name == "initial")
        try folder.put("a.json", #"{"a": 2, "b": "x", "c": {"d": [1.0]}}"#)
        for path in ["a", "b"] { #expect(try lines.line().hasPrefix("a.json:1: \(path): ")) }
        #expect(try objects.event().version == 2)
        try folder.put("a.json", #"{"a": 3, "b": "z", "c": {"d": [1.0]}}"#)
        #expect(try lines.line().hasPrefix("a.json:1: "))
        #expect(try objects.event().version == 3)
        try lines.end(code: 0)
        try objects.end(code: 0)
    }

    @Test("watch --poll exits after a change that was found by polling")
    func polled() throws {
        let lines = try WatchProcess("--poll", "--count", "1", "a.json", in: folder)
        let objects = try WatchProcess("--poll", "--json", "--count", "1", "a.json", in: folder)
        #expect(try lines.line() == "a.json: watching")
        #expect(try lines.line() == "a.json: polling: polling was requested")
        #expect(try objects.event().name == "initial")
        #expect(try objects.event().json["reason"] == "polling was requested")
        try folder.put("a.json", #"{"a": 2, "b": "x=y", "c": {"d": [1.0]}}"#)
        #expect(try lines.line().hasPrefix("a.json:1: a: "))
        #expect(try objects.event().version == 2)
        try lines.end(code: 0)
        try objects.end(code: 0)
    }

    @Test("watch --count does not count problems")
    func countOfProblems() throws {
        let watch = try WatchProcess("--json", "--count=1", "a.json", in: folder)
        #expect(try watch.event().name == "initial")
        try folder.put("a.json", "{")
        #expect(try watch.event().name == "problem")
        #expect(try watch.event() == .status("invalid"))
        try folder.put("a.json", "{}")
        #expect(try watch.event().name == "change")
        try watch.end(code: 0)
    }

    @Test(
        "watch --timeout exits with 1 and reports what was not reached",
        arguments: [
            ([], "timed out after 0.01 s"), (["--count", "2"], "after 0.01 s: 0 of 2 changes"),
            (["--until", "a=2"], "after 0.01 s: a is 1, not 2"),
            (
                ["--until", "c.e=2"],
                "after 0.01 s: no value at c.e: c is an object without the key \"e\"; nearest: \"d\""
            ),
        ])
    func timeout(arguments: [String], message: String) throws {
        let result = try Program.sessionctl.run(["watch", "a.json", "--timeout", "0.01"] + arguments, in: folder)
        #expect(
            result
                == Program.Result(code: 1, output: "a.json: watching\n", messages: "sessionctl: a.json: \(message)\n"))
    }

    @Test(
        "watch --until exits at once if the value is already present",
        arguments: [
            "a=1", "/a=1.0", #"b="x=y""#, #"c={"d": [1]}"#, "c/d=1", "c.d.0=1", #"={"c":{"d":[1]},"b":"x=y","a":1}"#,
        ])
    func valueAtStart(awaitedValue: String) throws {
        let isUnreachable = awaitedValue == "c/d=1"
        let result = try folder.sessionctl(
            "watch", "--json", "--timeout=\(isUnreachable ? "0" : "20")", "--until", awaitedValue, "a.json")
        #expect(result.code == (isUnreachable ? 1 : 0))
        #expect(result.output == #"{"event":"initial","version":1,"value":{"a":1,"b":"x=y","c":{"d":[1.0]}}}"# + "\n")
    }

    @Test("watch --until exits when the value appears, even outside the watched paths")
    func awaitedValue() throws {
        let watch = try WatchProcess("--json", "a.json", "--until", "n=\"=\"", "--timeout", "60", in: folder)
        let other = try WatchProcess("--json", "a.json", "zzz", "--until", "n=\"=\"", "--count", "9", in: folder)
        #expect(try watch.event().name == "initial")
        #expect(try other.event().name == "initial")
        try folder.put("a.json", #"{"n": 1}"#)
        #expect(try watch.event().name == "change")
        try folder.put("a.json", #"{"n": "="}"#)
        #expect(try watch.event().change == ["path": "/n", "old": 1, "new": "=", "line": 1])
        try watch.end(code: 0)
        try other.end(code: 0)
    }

    @Test("watch exits at the count or the awaited value, whichever comes first")
    func first() throws {
        let watch = try WatchProcess("a.json", "--until", "a=9", "--count", "1", in: folder)
        #expect(try watch.line() == "a.json: watching")
        try folder.put("a.json", #"{"a": 2, "b": "x=y", "c": {"d": [1.0]}}"#)
        #expect(try watch.line() == "a.json:1: a: 1 → 2")
        try watch.end(code: 0)
    }

    @Test("A signal ends watch with the exit status of the signal", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        let watch = try WatchProcess("a.json", in: folder)
        #expect(try watch.line() == "a.json: watching")
        watch.program.send(number)
        try watch.end(code: 128 + number)
    }

    @Test("watch exits without a message when its reader closes the pipe, before the next change")
    func brokenPipe() throws {
        let result = try folder.shell(#"{ "$0" watch --json a.json; echo $? >code; } | head -n 1"#)
        #expect(result == Program.Result(code: 0, output: result.output))
        #expect(result.output.hasPrefix(#"{"event":"initial""#))
        #expect(try folder.read("code") == "3\n")
    }

    @Test("watch exits with 3 if its output is full or closed")
    func noOutput() throws {
        #expect(try folder.shell(#"exec "$0" watch a.json >/dev/full"#).code == 3)
        #expect(try folder.shell(#"exec "$0" watch a.json >&-"#).code == 3)
    }
}
