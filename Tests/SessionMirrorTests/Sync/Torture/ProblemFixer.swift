import LosslessJSON
import SessionMirror
import TestSupport

/// Repairs the file after the test, following the advice of the reported problems.
final class ProblemFixer {
    private let users: [SessionUser]
    /// The sessions that have not saved since the end of the test.
    private var waiting: [SessionUser]
    private let shortLivedSessions: ShortLivedSessions
    private let writer: RandomFileWriter
    private var isFixed = false

    /// Writes the last external edit.
    init(users: [SessionUser], shortLivedSessions: ShortLivedSessions, writer: RandomFileWriter) throws {
        (self.users, waiting, self.shortLivedSessions, self.writer) = (users, users, shortLivedSessions, writer)
        try writer.replace(by: "{\n  \"last\": 1 // the last word\n}\n")
    }

    /// Whether all sessions have saved once more, and agree with the file.
    func fix() throws -> Bool {
        if !isFixed {
            try save()
            isFixed = waiting.isEmpty && shortLivedSessions.areDeallocated
        }
        guard isFixed, let values = try? JSON(parsing: writer.folder.read(writer.name)) else { return false }
        return users.allSatisfy { $0.agrees(with: values) }
    }

    /// Saves once more. An incomplete write to a version that was replaced meanwhile cannot be merged. The problem says
    /// where it was kept, and nothing is saved until it is removed.
    private func save() throws {
        do {
            try (waiting.last ?? users[0]).session.commitBlocking { $0.shared += 1 }
            _ = waiting.popLast()
        } catch let problem as SessionProblem where problem.code == .unmerged {
            for name in try writer.folder.names() where problem.message.contains("/\(name): ") {
                try writer.folder.remove(name)
            }
        } catch is SessionProblem {}
    }
}

extension SessionUser {
    fileprivate func agrees(with values: JSON) -> Bool {
        let status = session.mirror.status
        return status.content == .good && status.saving == .clean && session.snapshot.json == values
    }
}
