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

    @Test("comes after a number of changes: objects with --json, lines without")
    func count() throws {
        let lines = try Watching("--count", "3", "a.json", in: folder)
        let objects = try Watching("--json", "--count", "2", "a.json", in: folder)
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

    @Test("comes after a change that was found by looking")
    func polled() throws {
        let lines = try Watching("--poll", "--count", "1", "a.json", in: folder)
        let objects = try Watching("--poll", "--json", "--count", "1", "a.json", in: folder)
        #expect(try lines.line() == "a.json: watching")
        #expect(try lines.line() == "a.json: changes are looked for now and then: polling was asked for")
        #expect(try objects.event().name == "initial")
        #expect(try objects.event().json["reason"] == "polling was asked for")
        try folder.put("a.json", #"{"a": 2, "b": "x=y", "c": {"d": [1.0]}}"#)
        #expect(try lines.line().hasPrefix("a.json:1: a: "))
        #expect(try objects.event().version == 2)
        try lines.end(code: 0)
        try objects.end(code: 0)
    }

    @Test("counts no problems")
    func countOfProblems() throws {
        let watching = try Watching("--json", "--count=1", "a.json", in: folder)
        #expect(try watching.event().name == "initial")
        try folder.put("a.json", "{")
        #expect(try watching.event().name == "problem")
        #expect(try watching.event() == .status("invalid"))
        try folder.put("a.json", "{}")
        #expect(try watching.event().name == "change")
        try watching.end(code: 0)
    }

    @Test(
        "comes when time is over, with what is missing",
        arguments: [
            ([], "time is over after 0.01 s"), (["--count", "2"], "after 0.01 s: 0 of 2 changes"),
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
        "comes at once where the value is there",
        arguments: [
            "a=1", "/a=1.0", #"b="x=y""#, #"c={"d": [1]}"#, "c/d=1", "c.d.0=1", #"={"c":{"d":[1]},"b":"x=y","a":1}"#,
        ])
    func goalAtStart(goal: String) throws {
        let isWrong = goal == "c/d=1"
        let result = try folder.sessionctl(
            "watch", "--json", "--timeout=\(isWrong ? "0" : "20")", "--until", goal, "a.json")
        #expect(result.code == (isWrong ? 1 : 0))
        #expect(result.output == #"{"event":"initial","version":1,"value":{"a":1,"b":"x=y","c":{"d":[1.0]}}}"# + "\n")
    }

    @Test("comes as soon as the value is there, also where the change is not shown")
    func goal() throws {
        let watching = try Watching("--json", "a.json", "--until", "n=\"=\"", "--timeout", "60", in: folder)
        let other = try Watching("--json", "a.json", "zzz", "--until", "n=\"=\"", "--count", "9", in: folder)
        #expect(try watching.event().name == "initial")
        #expect(try other.event().name == "initial")
        try folder.put("a.json", #"{"n": 1}"#)
        #expect(try watching.event().name == "change")
        try folder.put("a.json", #"{"n": "="}"#)
        #expect(try watching.event().change == ["path": "/n", "old": 1, "new": "=", "line": 1])
        try watching.end(code: 0)
        try other.end(code: 0)
    }

    @Test("comes with what is first, the number or the value")
    func first() throws {
        let watching = try Watching("a.json", "--until", "a=9", "--count", "1", in: folder)
        #expect(try watching.line() == "a.json: watching")
        try folder.put("a.json", #"{"a": 2, "b": "x=y", "c": {"d": [1.0]}}"#)
        #expect(try watching.line() == "a.json:1: a: 1 → 2")
        try watching.end(code: 0)
    }

    @Test("comes by a signal, as the system does it", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        let watching = try Watching("a.json", in: folder)
        #expect(try watching.line() == "a.json: watching")
        watching.program.send(number)
        try watching.end(code: 128 + number)
    }

    @Test("comes without a word when nobody reads any more, before the next change")
    func brokenPipe() throws {
        let result = try folder.shell(#"{ "$0" watch --json a.json; echo $? >code; } | head -n 1"#)
        #expect(result == Program.Result(code: 0, output: result.output))
        #expect(result.output.hasPrefix(#"{"event":"initial""#))
        #expect(try folder.read("code") == "3\n")
    }

    @Test("comes at once where the output is full or closed")
    func noOutput() throws {
        #expect(try folder.shell(#"exec "$0" watch a.json >/dev/full"#).code == 3)
        #expect(try folder.shell(#"exec "$0" watch a.json >&-"#).code == 3)
    }
}
