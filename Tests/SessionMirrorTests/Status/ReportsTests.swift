import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Report sequences") struct ReportsTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("A report sequence begins with the current problem and status, and ends when the session is closed")
    func all() async throws {
        try folder.write("server.json", "{")
        let session = try Session(Server(), at: path)
        var reports = session.mirror.reports.makeAsyncIterator()
        guard case .problem(let problem) = await reports.next() else {
            Issue.record("the first report is not the current problem")
            return
        }
        #expect(await reports.next() == .status(session.mirror.status))
        try folder.write("server.json", "{}")
        #expect(await reports.next() == .recovered(problem))
        #expect(await reports.next() == .status(session.mirror.status))
        try session.closeBlocking()
        #expect(await reports.next() == .status(session.mirror.status))
        #expect(session.mirror.status.watching == .notWatching)
        #expect(await reports.next() == nil)
    }

    @Test("The sequence of problems begins with the current problem") func problems() async throws {
        try folder.write("server.json", #"{ "port": "a" }"#)
        let session = try Session(Server(), at: path)
        for await problem in session.mirror.problems {
            #expect(problem.path == "/port")
            break
        }
    }

    @Test("A report sequence of a closed session delivers the final status once and ends", arguments: [true, false])
    func late(hasFile: Bool) async throws {
        let session = hasFile ? try Session(Server(), at: path) : Session(inMemory: Server())
        let mirror = session.mirror
        try session.closeBlocking()
        var statuses = 0
        for await report in mirror.reports {
            if case .status(let status) = report { statuses += status.watching == .notWatching ? 1 : 0 }
        }
        #expect(statuses == 1)
    }
}
