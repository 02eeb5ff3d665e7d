import TestSupport

@testable import SessionMirror

/// Additional sessions of a shared file, which are opened, changed, and soon closed or released.
final class ShortLivedSessions: Sendable {
    private let path: String
    private let violations: Received<String>
    private let synchronizers = Received<WeakSynchronizer>()

    /// A reference to the synchronizer of a session, which stays alive until it has saved pending changes.
    private final class WeakSynchronizer: Sendable {
        weak let synchronizer: FileSynchronizer?

        init(_ session: Session<SharedRoot>) {
            if case .file(let synchronizer, _) = session.source {
                self.synchronizer = synchronizer
            } else {
                synchronizer = nil
            }
        }
    }

    init(_ path: String, violations: Received<String>) { (self.path, self.violations) = (path, violations) }

    func openAndClose(until endOfTest: EndOfTest) {
        while !endOfTest.isOver {
            do {
                try useSession()
            } catch {
                // Among writers that never rest, on a busy machine, a save may take longer than closing waits.
                let isExpected = error is SessionProblem || (error as? SessionError)?.code == .timedOut
                if !isExpected { violations.add("\(error)") }
            }
        }
    }

    private func useSession() throws {
        let session = try Session(SharedRoot(), at: path, options: SharedRoot.options)
        synchronizers.add(WeakSynchronizer(session))
        let token = session.observe(\.self) { _ in }
        try session.update { $0.counts["short-lived", default: 0] += 1 }
        if Bool.random() { try session.commitBlocking { $0.shared += 1 } }
        if Bool.random() { try session.closeBlocking() }
        withExtendedLifetime(token) {}
    }

    /// Whether all sessions have saved their changes and are deallocated.
    var areDeallocated: Bool { synchronizers.items.allSatisfy { $0.synchronizer == nil } }
}
