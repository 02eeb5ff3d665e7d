import SessionMirror

// Tests of a program, without files: edits, problems and recoveries are simulated.

struct Settings: Codable, Equatable, Sendable {
    var port = 8080
}

/// The code under test.
final class Server: Sendable {
    private let session: Session<Settings>

    init(_ session: Session<Settings>) { self.session = session }

    var isDegraded: Bool { if case .invalid = session.mirror.status.content { true } else { false } }

    func message(for change: Change<Int>) -> String {
        change.origin == .external ? "moved to port \(change.new) by an edit" : "moved to port \(change.new)"
    }
}

func check(_ settings: Settings) throws {
    if settings.port < 1024 { throw ValidationError("must be 1024 or more", at: "port") }
}

let session = Session(inMemory: Settings(), check: check)
let server = Server(session)

// Values made by the test.
precondition(server.message(for: Change(old: 1, new: 2)) == "moved to port 2 by an edit")
precondition(server.message(for: Change(old: 1, new: 2, origin: .update)) == "moved to port 2")

// An edit, and one that the check rejects.
let changes = session.changes(of: \.port)
session.simulateEdit { $0.port = 9090 }
for await change in changes {
    precondition(change == Change(old: 8080, new: 9090, version: Version(2), origin: .external))
    break
}
session.simulateEdit { $0.port = 80 }
precondition(server.isDegraded && session.port == 9090)
session.simulateEdit { $0.port = 9091 }
precondition(!server.isDegraded)

// A problem and its end, as reports.
let problem = SessionProblem(.unsaved, in: "server.json", "no space is left")
session.simulateProblem(problem)
for await reported in session.mirror.problems {
    precondition(reported == problem)
    break
}
precondition(session.mirror.status.saving == .failing(problem))
session.simulateRecovery()
precondition(session.mirror.status == MirrorStatus(watching: .notWatching, content: .good))

// Changes of the program itself.
do {
    try session.update { $0.port = 1 }
    fatalError("the check accepted a privileged port")
} catch let error as ValidationError {
    print(error)
}
try await session.commit { $0.port = 2048 }
precondition(session.port == 2048)
print("all tests passed")
