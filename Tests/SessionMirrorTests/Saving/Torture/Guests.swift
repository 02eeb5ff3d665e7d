@testable import SessionMirror

/// Sessions of a file that others have sessions of too: opened, changed, and soon closed or just let go again.
final class Guests: Sendable {
    private let path: String
    private let complaints: Received<String>
    private let gone = Received<Gone>()

    /// What mirrors the file for a session that is gone, until that has saved the rest.
    private final class Gone: Sendable {
        weak let mirroring: Mirroring?

        init(_ session: Session<Board>) {
            if case .file(let mirroring, _) = session.source { self.mirroring = mirroring } else { mirroring = nil }
        }
    }

    init(_ path: String, complaints: Received<String>) { (self.path, self.complaints) = (path, complaints) }

    func comeAndGo(until curfew: Curfew) {
        while !curfew.isOver {
            do {
                try live()
            } catch {
                if !(error is Problem) { complaints.add("\(error)") }
            }
        }
    }

    private func live() throws {
        let session = try Session(Board(), at: path, options: Board.options)
        gone.add(Gone(session))
        let token = session.observe(\.self) { _ in }
        try session.update { $0.counts["guests", default: 0] += 1 }
        if Bool.random() { try session.commitBlocking { $0.shared += 1 } }
        if Bool.random() { try session.close() }
        withExtendedLifetime(token) {}
    }

    /// Whether all of them have saved what they had, and are no more.
    var areGone: Bool { gone.items.allSatisfy { $0.mirroring == nil } }
}
