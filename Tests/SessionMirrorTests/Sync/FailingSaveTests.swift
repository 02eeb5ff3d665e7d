import DurableFiles
import Glibc
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Failing saves") struct FailingSaveTests {
    private let folder: TemporaryFolder
    private var options = SessionOptions()

    init() throws {
        folder = try TemporaryFolder()
        options.savingDelay = .milliseconds(5)
    }

    @Test("A failed save keeps the change, is reported once and thrown, and is retried until it succeeds")
    func retried() throws {
        let session = try Session(Server(), at: folder.path(of: "folder/server.json"), options: options)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try session.update { $0.port = 9 }
        eventually("the save fails") { session.mirror.status.saving.problem?.code == .unsaved }
        let reason = "not saved: The directory \(folder.path(of: "folder")) does not exist; create it with mkdir -p"
        #expect(session.mirror.status.saving.problem?.message.hasPrefix(reason) == true)
        #expect(session.mirror.status.saving.problem?.cause?.code == .missing)
        #expect { try session.flushBlocking() } throws: { ($0 as? SessionProblem)?.code == .unsaved }
        #expect { try session.commitBlocking { $0.greeting = "no" } } throws: {
            ($0 as? SessionProblem)?.code == .unsaved
        }
        #expect { try session.closeBlocking() } throws: { ($0 as? SessionProblem)?.code == .unsaved }
        #expect(session.port == 9 && session.greeting == "hello")

        try folder.createFolder("folder")
        eventually("the change is saved") { (try? folder.read("folder/server.json")) == "{\n  \"port\": 9\n}\n" }
        eventually("the status is clean") { session.mirror.status.saving == .clean }
        eventually("the clean status is reported") { reports.items.last?.status?.saving == .clean }
        #expect(reports.items.compactMap(\.problem).count == 1)
        #expect(
            reports.items.contains { if case .recovered(let problem) = $0 { problem.code == .unsaved } else { false } })
        #expect(session.mirror.metrics.failedSaves >= 4)
        try session.closeBlocking()
        withExtendedLifetime(token) {}
    }

    @Test("Missing directories are created if the options say so") func folders() throws {
        var options = options
        options.replacing.createsDirectories = true
        let session = try Session(Server(), at: folder.path(of: "one/two/server.json"), options: options)
        func exists() -> Bool { access(folder.path(of: "one"), F_OK) == 0 }
        try session.flushBlocking()
        #expect(!exists())
        try session.commitBlocking { $0.port = 1 }
        #expect(try folder.read("one/two/server.json") == "{\n  \"port\": 1\n}\n")
        // A directory that was removed stays removed while there is nothing to write.
        try folder.remove("one")
        try session.flushBlocking()
        #expect(!exists())
        try session.commitBlocking { $0.port = 2 }
        #expect(try folder.read("one/two/server.json").contains("2"))
        try session.closeBlocking()
    }

    @Test("A save into a read-only file fails with the file's name and the permission that it needs", .needs(.setpriv))
    func readOnlyFile() throws {
        let otherUser = try OtherUserProcess()
        try otherUser.environment.run("printf '{ \"a\": 1 }\\n' > a.json; chmod 444 a.json; chmod 755 .")
        let service = try otherUser.start("service", "a.json")
        #expect(try service.line() == "begun")
        for (line, answer) in [
            ("set /a 2", "done"), ("flush", "problem unsaved"), ("saving", "failing"), ("get /a", "2"),
            ("commit /b 3", "problem unsaved"), ("get /b", "null"),
        ] {
            try service.say(line)
            #expect(try service.line() == answer, "\(line)")
        }
        try service.say("exit")
        let end = try service.end()
        #expect(end.code == 0)
        let user = geteuid() == 0 ? 65_534 : geteuid()
        let advice = "user \(user) needs write permission for the file, see chmod and chown"
        let reason = "a.json: error: not saved: Permission denied; \(advice)"
        #expect(end.messages == "\(reason)\n  lost at exit: a\n")
        #expect(try otherUser.environment.folder.read("a.json") == "{ \"a\": 1 }\n")
    }

    @Test("A file in a read-only directory is overwritten in place", .needs(.setpriv))
    func readOnlyFolder() throws {
        let otherUser = try OtherUserProcess()
        try otherUser.environment.run(
            "printf '{ \"a\": 1 }\\n' > a.json; chmod 666 a.json; chmod 755 .; mkdir -m 777 state")
        let state = otherUser.environment.folder.path(of: "state")
        let service = try otherUser.start("service", "a.json", environment: ["STATE_DIRECTORY": state])
        #expect(try service.line() == "begun")
        try service.say("commit /a 2")
        #expect(try service.line() == "done")
        #expect(try otherUser.environment.folder.read("a.json") == "{ \"a\": 2 }\n")
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
    }
}
