import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Updates during a commit") struct UpdateDuringCommitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "Updates return while the disk does not respond to a commit, build on it, and are saved after it",
        .requiresRoot, .needs(.unshare, .bindfs), .timeLimit(.minutes(5)))
    func silentDisk() throws {
        let fixture = try FUSEService(in: folder)
        let (service, server) = (fixture.service, fixture.server)
        defer { kill(server, SIGCONT) }
        // The closure of the commit stops the file system, so that its result cannot be written.
        try service.say("stopping \(server) /a 2")
        #expect(try service.line() == "stopped")
        for number in 1...3 {
            try service.say("set /b \(number)")
            #expect(try service.line() == "done")
        }
        try service.say("get /a")
        #expect(try service.line() == "2")
        try service.say("get /b")
        #expect(try service.line() == "3")
        #expect(try folder.read("source/a.json") == "{ \"a\": 1 }\n")
        kill(server, SIGCONT)
        #expect(try service.line(within: .seconds(60)) == "committed")
        #expect(try JSON(parsing: folder.read("source/a.json")) == ["a": 2])
        try service.say("flush")
        #expect(try service.line() == "done")
        #expect(try JSON(parsing: folder.read("source/a.json")) == ["a": 2, "b": 3])
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
    }

    @Test("An update does not wait for the directory lock that a commit waits for", .needs(.flock))
    func lockedDirectory()
        throws
    {
        try folder.write("server.json", "{ \"port\": 1 }\n")
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let holder = try Programs.flock.program.start(
            [".", "sh", "-c", "echo held; read line"], in: folder, input: .lines)
        #expect(try holder.line() == "held")
        let committed = Received<Int>()
        let thread = TestThread {
            do {
                try session.commitBlocking { $0.limits.burst += 1 }
                committed.add(1)
            } catch {
                Issue.record(error)
            }
        }
        // Until the commit has the lock, its change is not applied, and updates are.
        for port in 2...100 { try session.update { $0.port = port } }
        #expect(committed.count == 0 && session.port == 100)
        holder.closeInput()
        _ = try holder.end()
        thread.join()
        #expect(session.port == 100 && session.limits.burst == 6)
        try session.flushBlocking()
        let saved = try JSON(parsing: folder.read("server.json"))
        #expect(saved["port"] == 100 && saved["limits", "burst"] == 6)
    }

    @Test("No change of concurrent updates and commits of one counter is lost, in memory and in the file")
    func counter() throws {
        try folder.write("server.json", "{ \"port\": 0 }\n")
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        onThreads(4) { thread in
            do {
                for _ in 0..<100 {
                    if thread.isMultiple(of: 2) {
                        try session.update { $0.port += 1 }
                    } else {
                        try session.commitBlocking { $0.port += 1 }
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(session.port == 400)
        try session.closeBlocking()
        #expect(try JSON(parsing: folder.read("server.json"))["port"] == 400)
    }
}
