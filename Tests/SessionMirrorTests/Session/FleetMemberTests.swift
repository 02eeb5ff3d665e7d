import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("A session and texts from elsewhere") struct FleetMemberTests {
    let folder: TemporaryFolder
    let session: Session<Server>

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("server.json", Self.text)
        session = try Session(Server(), at: folder.path(of: "server.json"))
    }

    private static let text = "{ \"port\": 1 } // one\n"

    private func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: text) }

    private func commit(_ text: String, replacing base: String) async throws {
        let next = try document(text)
        try await session.commit(replacingText: TextReplacement(of: try document(base), by: next)) { _ in next.value }
    }

    @Test("A text replaces the one that it is derived from, with comments and formatting") func replaced() async throws
    {
        try await commit("{\"port\": 2} // two\n", replacing: Self.text)
        #expect(try folder.read("server.json") == "{\"port\": 2} // two\n")
        #expect(session.port == 2)
        #expect(session.snapshot.origin == .external)
    }

    @Test("A text with the same values replaces one, too") func comments() async throws {
        let version = session.snapshot.version
        try await commit("{ \"port\": 1 } // uno\n", replacing: Self.text)
        #expect(try folder.read("server.json") == "{ \"port\": 1 } // uno\n")
        #expect(session.mirror.document?.text == "{ \"port\": 1 } // uno\n")
        #expect(session.snapshot.version == version)
    }

    @Test("A file with another text keeps its comments") func edited() async throws {
        try folder.write("server.json", "{ \"port\": 1 } // mine\n")
        try await commit("{\"port\": 2} // two\n", replacing: Self.text)
        #expect(try folder.read("server.json") == "{ \"port\": 2 } // mine\n")
    }

    @Test("A missing file is created with the text") func missing() async throws {
        let folder = try TemporaryFolder()
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let next = try document("{\"port\": 2} // two\n")
        try await session.commit(replacingText: TextReplacement(of: nil, by: next)) { _ in next.value }
        #expect(try folder.read("server.json") == "{\"port\": 2} // two\n")
        #expect(session.port == 2)
    }

    @Test("A rejected value changes nothing, and its place in the text is told") func rejected() async throws {
        let next = try document("{\n  \"port\": \"eighty\"\n}")
        await #expect(throws: SessionProblem.self) {
            try await session.commit(replacingText: nil) { _ in next.value }
        }
        #expect(try folder.read("server.json") == Self.text)
        #expect(session.port == 1)
        let problem = session.problem(of: next, in: "elsewhere")
        #expect(problem?.description.hasPrefix("elsewhere:2:11: error: \"port\" must be a whole number") == true)
    }

    @Test("Observers of the text are called after edits, saves and changes of comments") func observers() async throws {
        let calls = Received<Void>()
        session.observeText(for: session) { calls.add(()) }
        try folder.write("server.json", "{ \"port\": 2 }")
        await eventually("an edit is observed") { calls.count == 1 }
        try folder.write("server.json", "{ \"port\": 2 } // two")
        await eventually("a comment is observed") { calls.count == 2 }
        try session.update { $0.port = 3 }
        try await session.flush()
        await eventually("a save is observed") { calls.count == 3 }
        session.endObservingText(for: session)
        try await session.commit { $0.port = 4 }
        #expect(calls.count == 3)
    }

    @Test("The status of the fleet is part of the session's, and its problem is reported and recovers") func status() {
        let reports = Received<MirrorReport>()
        let subscription = session.mirror.observe { reports.add($0) }
        var status = FleetStatus(key: "/settings", connection: .connected, revision: 5)
        session.setFleetStatus(status)
        #expect(session.mirror.status.fleet == status)
        #expect(session.mirror.status.description.hasSuffix("fleet: connected, revision 5"))
        let problem = SessionProblem(.value, in: "/settings in etcd", "rejected")
        status.problem = problem
        session.setFleetStatus(status)
        eventually("the problem is reported") { reports.items.contains(.problem(problem)) }
        status.problem = nil
        session.setFleetStatus(status)
        eventually("its end is reported") { reports.items.contains(.recovered(problem)) }
        withExtendedLifetime(subscription) {}
    }
}
