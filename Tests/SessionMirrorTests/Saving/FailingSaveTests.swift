import DurableFiles
import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Saving that does not work") struct FailingSaveTests {
    private let folder: TemporaryFolder
    private var options = SessionOptions()

    init() throws {
        folder = try TemporaryFolder()
        options.savingDelay = .milliseconds(5)
    }

    @Test("the change stays in memory, the reason is told once and thrown, and it is tried again until it works")
    func retried() throws {
        let session = try Session(Server(), at: folder.path(of: "folder/server.json"), options: options)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try session.update { $0.port = 9 }
        eventually("it fails") { session.mirror.status.saving.problem?.code == .unsaved }
        #expect(session.mirror.status.saving.problem?.message == "not saved: No such file or directory")
        #expect(session.mirror.status.saving.problem?.cause?.code == .missing)
        #expect { try session.flushBlocking() } throws: { ($0 as? Problem)?.code == .unsaved }
        #expect { try session.commitBlocking { $0.greeting = "no" } } throws: { ($0 as? Problem)?.code == .unsaved }
        #expect { try session.close() } throws: { ($0 as? Problem)?.code == .unsaved }
        #expect(session.port == 9 && session.greeting == "hello")

        try folder.createFolder("folder")
        eventually("it is saved") { (try? folder.read("folder/server.json")) == "{\n  \"port\": 9\n}\n" }
        eventually("the status says so") { session.mirror.status.saving == .clean }
        eventually("and the reports") { reports.items.last?.status?.saving == .clean }
        #expect(reports.items.compactMap(\.problem).count == 1)
        #expect(
            reports.items.contains { if case .recovered(let problem) = $0 { problem.code == .unsaved } else { false } })
        #expect(session.mirror.metrics.failedSaves >= 4)
        try session.close()
        withExtendedLifetime(token) {}
    }

    @Test("folders on the way are created where the options say so") func folders() throws {
        var options = options
        options.replacing.createsFolders = true
        let session = try Session(Server(), at: folder.path(of: "one/two/server.json"), options: options)
        try session.commitBlocking { $0.port = 1 }
        #expect(try folder.read("one/two/server.json") == "{\n  \"port\": 1\n}\n")
        try session.close()
    }

    @Test("a file that the user may not write to: the problem names it and what would help", .needs(.setpriv))
    func readOnlyFile() throws {
        let stranger = try Stranger()
        try stranger.place.run("printf '{ \"a\": 1 }\\n' > a.json; chmod 444 a.json; chmod 755 .")
        let service = try stranger.start("service", "a.json")
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
        let advice = "the user of this program must be allowed to write to it, see chmod"
        let reason = "a.json: error: not saved: Permission denied; \(advice)"
        #expect(end.messages == "\(reason)\n  lost at the end of the program: a\n")
        #expect(try stranger.place.folder.read("a.json") == "{ \"a\": 1 }\n")
    }

    @Test("a folder that may not be written to: the file is overwritten in place", .needs(.setpriv))
    func readOnlyFolder() throws {
        let stranger = try Stranger()
        try stranger.place.run("printf '{ \"a\": 1 }\\n' > a.json; chmod 666 a.json; chmod 755 .; mkdir -m 777 rescue")
        let rescue = stranger.place.folder.path(of: "rescue")
        let service = try stranger.start("service", "a.json", environment: ["STATE_DIRECTORY": rescue])
        #expect(try service.line() == "begun")
        try service.say("commit /a 2")
        #expect(try service.line() == "done")
        #expect(try stranger.place.folder.read("a.json") == "{ \"a\": 2 }\n")
        try service.say("exit")
        #expect(try service.end() == Program.Result(code: 0))
    }
}

extension MirrorReport {
    fileprivate var status: MirrorStatus? { if case .status(let status) = self { status } else { nil } }
}

extension MirrorStatus.Saving {
    fileprivate var problem: Problem? { if case .failing(let problem) = self { problem } else { nil } }
}
