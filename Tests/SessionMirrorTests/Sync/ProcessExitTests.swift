import Glibc
import LosslessJSON
import TestSupport
import Testing

/// Checks what happens to a pending change when a process or session ends, with real processes whose savingDelay is
/// an hour.
@Suite("Pending changes at the end of a service") struct ProcessExitTests {
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
        let received = try service.line()
        #expect(received == answer, "\(line)")
    }

    private let before = "{ \"a\": 1 } // kept\n"
    private let after = "{ \"a\": 2 } // kept\n"

    private func expect(_ text: String) throws {
        #expect(try folder.read("a.json") == text)
        #expect(try Program.shell.run(["-c", "ls -A"], in: folder).output == "a.json\n")
    }

    @Test("A pending change is saved on exit or when main returns", arguments: ["exit", "return"])
    func normal(_ end: String) throws {
        try say("set /a 2", "done")
        try say("saving", "pending")
        try expect(before)
        try service.say(end)
        #expect(try service.end() == Program.Result(code: 0))
        try expect(after)
    }

    @Test("Exit with an invalid file leaves the file unchanged and names the lost changes") func invalid() throws {
        try folder.write("a.json", "{ \"a\": ")
        try say("set /a 2", "done")
        try say("flush", "problem syntax")
        try say("commit /b 3", "problem syntax")
        try say("saving", "blocked")
        try say("close", "problem syntax")
        try service.say("exit")
        let result = try service.end()
        #expect(result.code == 0)
        #expect(result.messages.hasPrefix("a.json:1:"))
        #expect(result.messages.hasSuffix("\n  lost at exit: a\n"))
        try expect("{ \"a\": ")
    }

    @Test("An unhandled SIGTERM saves nothing and leaves the file intact") func terminated() throws {
        try say("commit /a 2", "done")
        try say("set /a 3", "done")
        service.send(SIGTERM)
        #expect(try service.end().code == 128 + SIGTERM)
        try expect(after)
    }

    @Test("A pending change is saved in the background after the last release") func released() throws {
        try say("set /a 2", "done")
        try say("release", "released")
        eventually("the change is saved") { (try? folder.read("a.json")) == after }
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
        try expect(after)
    }

    @Test("A pending change is saved when exit follows the last release immediately") func releasedAtLast() throws {
        try say("set /a 2", "done")
        try service.say("release\nexit")
        #expect(try service.end().code == 0)
        try expect(after)
    }

    @Test("A session released with an invalid file saves its pending change after the repair") func releasedInvalid()
        throws
    {
        try folder.write("a.json", "{ \"a\": ")
        try say("set /b 2", "done")
        try say("flush", "problem syntax")
        try say("release", "released")
        try eventually("the problem is written, because it has no observer") {
            try service.readMessages().hasPrefix("a.json:1:")
        }
        try folder.write("a.json", before)
        let expected: JSON = ["a": 1, "b": 2]
        eventually("the change is saved") { (try? JSON(parsing: folder.read("a.json"))) == expected }
        try service.say("exit")
        #expect(try service.end().code == 0)
    }

    @Test("A commit of another program takes effect at once, even if it restores the previous value")
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

    @Test("Closing saves the pending change, and later changes fail") func closed() throws {
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

    @Test("Closing with an invalid file throws, and the session stays usable and can be closed later")
    func closedInvalid() throws {
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

    @Test("A forked child can read the session and saves nothing")
    func forked() throws {
        try say("set /a 2", "done")
        try service.say("fork")
        for answer in ["error forked", "error forked", "error forked", "done", "reads 2, off", "child 0"] {
            #expect(try service.line() == answer)
        }
        try expect(before)
        try say("close", "done")
        try expect(after)
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
    }
}
