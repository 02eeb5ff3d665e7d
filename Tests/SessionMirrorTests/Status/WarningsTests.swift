import SessionMirror
import TestSupport
import Testing

@Suite("Warnings about the content of a file") struct WarningsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("A key that stands twice is a warning with its location, reported once until it is gone") func twice() throws {
        try folder.write("server.json", #"{ "port": 1, "port": 2 }"#)
        let session = try Session(Server(), at: path)
        #expect(session.port == 2)
        let warning = try #require(session.mirror.status.warnings.first)
        #expect(warning.description == "\(path):1:14: warning: duplicate key \"port\"; the earlier one at 1:3 is ignored")
        guard case .duplicateKey(let ignored) = warning.code else {
            Issue.record("the warning has another code")
            return
        }
        #expect(ignored.column == 3)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        eventually("the warning is delivered") { reports.items.contains(.problem(warning)) }
        try folder.write("server.json", "\n" + #"{ "port": 1, "port": 3 }"#)
        eventually("the edit is loaded") { session.port == 3 }
        try folder.write("server.json", #"{ "port": 4 }"#)
        eventually("the warning is gone") { session.mirror.status.warnings == [] && session.port == 4 }
        eventually("its end is delivered") { reports.items.contains { if case .recovered = $0 { true } else { false } } }
        #expect(reports.items.compactMap(\.problem).count == 1)
        withExtendedLifetime(token) {}
    }

    @Test("A deleted file has no warnings") func deleted() throws {
        try folder.write("server.json", #"{ "port": 1, "port": 2 }"#)
        let session = try Session(Server(), at: path)
        #expect(session.mirror.status.warnings.count == 1)
        try folder.remove("server.json")
        eventually("the file is missing") { session.mirror.status.content == .missing }
        #expect(session.mirror.status.warnings == [])
    }
}
