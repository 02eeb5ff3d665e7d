import SessionMirror
import TestSupport
import Testing

@Suite("Simulated files") struct SimulationTests {
    private let session = Session(inMemory: Server()) { server in
        if server.port == 0 { throw ValidationError("must be positive", at: "port") }
    }

    @Test("A simulated edit is an external change") func edit() throws {
        let received = Received<Change<Int>>()
        let token = session.observe(\.port) { received.add($0) }
        session.simulateEdit { $0.port = 9090 }
        eventually("the edit is delivered") { received.count == 1 }
        #expect(received.items.first == Change(old: 8080, new: 9090, version: Version(2), origin: .external))
        #expect(session.snapshot.origin == .external)
        withExtendedLifetime(token) {}
    }

    @Test("Statuses, reports and changes are described on one line, whatever the values and messages are")
    func descriptions() {
        let text = "a\nb\u{1b}[31m\u{2028}\r"
        let problem = SessionProblem(.value, in: text, at: JSONPointer([text]), text)
        var status = MirrorStatus(watching: .notWatching, content: .invalid(problem))
        status.saving = .failing(problem)
        status.warnings = [problem]
        let descriptions = [
            "\(status)", "\(MirrorReport.problem(problem))", "\(MirrorReport.recovered(problem))",
            "\(MirrorReport.status(status))", "\(Change(old: text, new: text))", "\(Change(old: [text], new: [text]))",
        ]
        for description in descriptions {
            #expect(description.unicodeScalars.allSatisfy { !$0.properties.isPatternWhitespace || $0 == " " })
            #expect(!description.contains("\u{1b}") && description.contains("a"), "\(description)")
        }
    }

    @Test("The check of a session in memory rejects updates, and a simulated edit becomes a problem until the next one")
    func check() throws {
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        #expect(throws: ValidationError.self) { try session.update { $0.port = 0 } }
        session.simulateEdit { $0.port = 0 }
        #expect(session.port == 8080)
        guard case .invalid(let problem) = session.mirror.status.content else {
            Issue.record("the content is valid")
            return
        }
        #expect(problem.path == "/port" && problem.message == "\"port\" must be positive")
        session.simulateEdit { $0.port = 1 }
        #expect(session.mirror.status.content == .good)
        eventually("the recovery is delivered") { reports.items.contains(.recovered(problem)) }
        withExtendedLifetime(token) {}
    }

    @Test("A simulated problem stands in the status and is delivered, until it is recovered") func problem() throws {
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        let syntax = SessionProblem(.syntax, in: "server.json", "expected a value")
        let unsaved = SessionProblem(.unsaved, in: "server.json", "not saved: no space is left")
        let warning = SessionProblem(.unknownKey(suggestion: "port"), in: "server.json", at: "prot", "is unknown")
        for problem in [syntax, unsaved, warning] { session.simulateProblem(problem) }
        #expect(session.mirror.status.content == .invalid(syntax))
        #expect(session.mirror.status.saving == .failing(unsaved))
        #expect(session.mirror.status.warnings == [warning])
        session.simulateRecovery()
        #expect(session.mirror.status == MirrorStatus(watching: .notWatching, content: .good))
        eventually("all is delivered") {
            Set(reports.items).isSuperset(of: [syntax, unsaved, warning].flatMap { [.problem($0), .recovered($0)] })
        }
        withExtendedLifetime(token) {}
    }

    @Test("A snapshot made for a test has its value and its JSON") func snapshot() {
        let snapshot = Snapshot(Server(), version: Version(3), origin: .update)
        #expect(snapshot.value == Server() && snapshot.version.number == 3 && snapshot.json["port"] == 8080)
    }
}
