import TestSupport
import Testing

/// With real processes, because the problems go to standard error.
@Suite("Problems without an observer") struct UnobservedProblemTests {
    private let folder: TemporaryFolder
    private let service: RunningProgram

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", #"{ "a": 1 "#)
        service = try Program.built("SessionProbe").start(["service", "a.json"], in: folder, input: .lines)
        #expect(try service.line() == "begun")
    }

    private let problem = "a.json:1:10: error: expected \",\" or \"}\" in the object that begins at line 1"

    @Test("A problem is written to standard error once, as is its end") func written() throws {
        try eventually("the problem is written") { try service.readMessages().hasPrefix("a.json:1:") }
        try folder.write("a.json", #"{ "a": 2 }"#)
        try eventually("the end is written") { try service.readMessages().contains("a.json: solved: ") }
        try service.say("exit")
        let messages = try service.end().messages
        #expect(messages.split(separator: "\n").filter { $0.contains("error: ") }.count == 1, "\(messages)")
    }

    @Test("A problem with an observer is not written") func observed() throws {
        try service.say("listen")
        #expect(try service.line() == "listening")
        #expect(try service.line(with: "told a.json:1:") != "")
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0, output: "", messages: ""))
    }

    @Test("A problem that the program ignores is not written, not even at exit") func ignored() throws {
        let silent = try Program.built("SessionProbe").start(["silent", "a.json"], in: folder, input: .lines)
        #expect(try silent.line() == "begun")
        // Written at the same time by a program that does not ignore it.
        try eventually("the problem is written") { try service.readMessages().hasPrefix("a.json:1:") }
        try silent.say("exit")
        #expect(try silent.end() == Program.Result(code: 0, output: "", messages: ""))
    }

    @Test("A problem is written when the program exits before a second has passed") func exit() throws {
        try service.say("exit")
        let messages = try service.end().messages
        #expect(messages.hasPrefix("a.json:1:"), "\(messages)")
    }
}
