import Glibc
import LosslessJSON
import TestSupport
import Testing

/// What becomes of a pending change when a process, or its session, ends: with real processes, whose sessions would save
/// after an hour.
@Suite("The end of a service") struct EndTests {
    private let folder: TemporaryFolder
    private let service: RunningProgram

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{ \"a\": 1 } // kept\n")
        service = try Program.built("SessionProbe").start(["service", "a.json"], in: folder, input: .lines)
        #expect(try service.line() == "begun")
    }

    private func say(_ line: String, _ answer: String) throws {
        try service.say(line)
        let heard = try service.line()
        #expect(heard == answer, "\(line)")
    }

    private let before = "{ \"a\": 1 } // kept\n"
    private let after = "{ \"a\": 2 } // kept\n"

    private func expect(_ text: String) throws {
        #expect(try folder.read("a.json") == text)
        #expect(try Program.shell.run(["-c", "ls -A"], in: folder).output == "a.json\n")
    }

    @Test("by exit, or by the return of main: what is pending is saved", arguments: ["exit", "return"])
    func normal(_ end: String) throws {
        try say("set /a 2", "done")
        try say("saving", "pending")
        try expect(before)
        try service.say(end)
        #expect(try service.end() == Program.Result(code: 0))
        try expect(after)
    }

    @Test("by exit while the file is invalid: it is left alone, and what is lost is named") func invalid() throws {
        try folder.write("a.json", "{ \"a\": ")
        try say("set /a 2", "done")
        try say("flush", "problem syntax")
        try say("commit /b 3", "problem syntax")
        try say("saving", "held")
        try say("close", "problem syntax")
        try service.say("exit")
        let result = try service.end()
        #expect(result.code == 0)
        #expect(result.messages.hasPrefix("a.json:1:"))
        #expect(result.messages.hasSuffix("\n  lost at the end of the program: a\n"))
        try expect("{ \"a\": ")
    }

    @Test("by SIGTERM that nobody handles: nothing is saved, and nothing is broken") func terminated() throws {
        try say("commit /a 2", "done")
        try say("set /a 3", "done")
        service.send(SIGTERM)
        #expect(try service.end().code == 128 + SIGTERM)
        try expect(after)
    }

    @Test("by the last release, without close: it is saved in the background") func released() throws {
        try say("set /a 2", "done")
        try say("release", "released")
        eventually("it is saved") { (try? folder.read("a.json")) == after }
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
        try expect(after)
    }

    @Test("by the last release and exit right after it") func releasedAtLast() throws {
        try say("set /a 2", "done")
        try service.say("release\nexit")
        #expect(try service.end().code == 0)
        try expect(after)
    }

    @Test("by the last release while the file is invalid: it is saved when it is mended") func releasedInvalid() throws
    {
        try folder.write("a.json", "{ \"a\": ")
        try say("set /b 2", "done")
        try say("flush", "problem syntax")
        try say("release", "released")
        try folder.write("a.json", before)
        let expected: JSON = ["a": 1, "b": 2]
        eventually("it is saved") { (try? JSON(parsing: folder.read("a.json"))) == expected }
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
    }

    @Test("what another program commits on purpose counts at once, also where it is what was there before")
    func intended() throws {
        let sessionctl = Program.built("sessionctl")
        for round in 1...5 {
            try say("commit /a 2", "done")
            #expect(try sessionctl.run(["add", "a.json", "a", "-1"], in: folder).output == "1\n")
            try service.say("get /a")
            while let value = try service.line(), value != "1" { try service.say("get /a") }
            try say("commit /round \(round)", "done")
            #expect(try sessionctl.run(["get", "a.json", "a"], in: folder).output == "1\n")
        }
    }

    @Test("by close: it is saved, and the session is over") func closed() throws {
        try say("set /a 2", "done")
        try say("close", "done")
        try expect(after)
        try say("set /a 3", "error closed")
        try say("commit /a 3", "error closed")
        try say("get /a", "2")
        try say("close", "done")
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
        try expect(after)
    }

    @Test("by close while the file is invalid: it throws, goes on, and can be closed later") func closedInvalid() throws
    {
        try say("set /a 2", "done")
        try folder.write("a.json", "{ \"a\": ")
        try say("close", "problem syntax")
        try say("set /b 3", "done")
        try folder.write("a.json", before)
        try say("close", "done")
        #expect(try JSON(parsing: folder.read("a.json")) == ["a": 2, "b": 3])
        try service.say("exit")
        #expect(try service.end().code == 0)
    }

    @Test("of the child of a fork: it can read, and saves nothing")
    func forked() throws {
        try say("set /a 2", "done")
        try service.say("fork")
        for answer in ["error forked", "error forked", "error forked", "done", "reads 2, frozen", "child 0"] {
            #expect(try service.line() == answer)
        }
        try expect(before)
        try say("close", "done")
        try expect(after)
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
    }
}
