import Glibc
import TestSupport
import Testing

/// Sessions of a process that cannot create threads or open files. Each test has a process of its own.
@Suite("Lack of threads and descriptors") struct ThreadShortageTests {
    private let folder: TemporaryFolder
    private let program: RunningProgram

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("server.json", #"{ "port": 0 }"#)
        // The process runs as nobody, which has all permissions here.
        for (name, mode) in [("", 0o777), ("server.json", 0o666)] { chmod(folder.path(of: name), mode_t(mode)) }
        program = try Program.built("SessionProbe").start(["shortage"], in: folder, input: .lines)
        #expect(try program.line() == "ready")
    }

    /// Sends a command, and waits for a line that contains `answer`, or `done`.
    @discardableResult
    private func say(_ command: String, _ answer: String? = nil) throws -> String {
        try program.say(command)
        return try program.line(with: answer ?? "done \(command)")
    }

    /// Opens the session, and waits until the threads used for that have ended.
    private func open(_ kind: String = "open") throws {
        try say("\(kind) server.json")
        let process = ObservedProcess(identifier: program.identifier)
        try eventually("the workers end", within: .seconds(60)) {
            try !process.threads().contains { $0.name == "session-worker" }
        }
        try say("threads no")
    }

    private func set(_ port: Int) throws { try folder.write("server.json", #"{ "port": \#(port) }"#) }

    private func end(writing messages: String = "") throws {
        let result = try program.end()
        #expect(result.code == 0 && result.messages.hasPrefix(messages) && result.messages.isEmpty == messages.isEmpty)
    }

    @Test("An edit is delivered when threads can be created again")
    func lifted() throws {
        try open()
        try set(1)
        // Gives the edit time to be noticed; otherwise the test covers less.
        usleep(1_000)
        try program.say("threads yes")
        _ = try program.line(with: "port 1")
        try end()
    }

    @Test("Successive edits are delivered while no thread can be created")
    func never() throws {
        try open()
        for port in 1...3 {
            try set(port)
            _ = try program.line(with: "port \(port)")
        }
        try end()
    }

    @Test("An invalid edit shows in the status while no thread can be created")
    func invalidEdit() throws {
        try open()
        try folder.write("server.json", "{")
        try eventually("the status is invalid") { try say("status", "status ").contains("content: invalid (") }
        try end(writing: "server.json:1:")
    }

    @Test("An update is saved while no thread can be created")
    func update() throws {
        try open()
        try say("update 1")
        try eventually("the update is saved") { try folder.read("server.json").contains("1") }
        try end()
    }

    @Test("Flush, commit and close save while no thread can be created", arguments: ["open", "alone"])
    func waiting(kind: String) throws {
        try open(kind)
        try say("update 1")
        try say("flush")
        #expect(try folder.read("server.json").contains("1"))
        try say("commit 2")
        #expect(try folder.read("server.json").contains("2"))
        try say("update 3")
        try say("close")
        #expect(try folder.read("server.json").contains("3"))
        try end()
    }

    @Test("A pending change is saved at exit while no thread can be created", arguments: ["open", "alone"])
    func atExit(kind: String) throws {
        try open(kind)
        try say("update 1")
        try program.say("exit")
        try end()
        #expect(try folder.read("server.json").contains("1"))
    }

    @Test(
        "A session in memory delivers delayed changes with the next call once threads can be created",
        arguments: ["update 2", "status"])
    func memory(call: String) throws {
        try say("memory")
        try say("threads no")
        try say("update 1")
        #expect(try say("status", "status ").contains("short of threads"))
        try say("threads yes")
        try program.say(call)
        _ = try program.line(with: call == "status" ? "port 1" : "port 2")
        try eventually("the status reports that threads are available") {
            try !say("status", "status ").contains("short of threads")
        }
        try end()
    }

    @Test("Opening a watched session fails while no thread can be created, and succeeds later")
    func opening() throws {
        try say("threads no")
        #expect(try say("open server.json", "error ").contains("cannotWatch"))
        try say("threads yes")
        try say("open server.json")
        try set(1)
        _ = try program.line(with: "port 1")
        try end()
    }

    @Test("An edit made while no descriptor is free is delivered when descriptors are available again")
    func files() throws {
        try say("open server.json")
        try set(1)
        _ = try program.line(with: "port 1")
        try say("files no")
        try set(2)
        try eventually("the status is invalid") { try say("status", "status ").contains("invalid") }
        try say("files yes")
        _ = try program.line(with: "port 2")
        try say("update 3")
        try say("flush")
        try end()
    }
}
