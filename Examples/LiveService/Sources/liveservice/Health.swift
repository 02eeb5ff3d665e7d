import LosslessJSON
import SessionMirror
import Synchronization

/// Records whether the files can be used, and since when they cannot.
final class Health: Sendable {
    fileprivate struct FileHealth {
        let name: String
        /// Whether a removed file is a failure. The service writes other files again with the next change.
        let isWrittenByPeople: Bool
        var status = MirrorStatus(watching: .live, content: .missing)
        /// Whether the file has existed.
        var wasThere = false
        /// Since when the file is invalid, or cannot be saved.
        var failingSince: ContinuousClock.Instant?
    }

    private let files: Mutex<[FileHealth]>

    /// - Parameter files: Their names, and whether people write them.
    init(_ files: [(name: String, isWrittenByPeople: Bool)]) {
        self.files = Mutex(files.map { FileHealth(name: $0.name, isWrittenByPeople: $0.isWrittenByPeople) })
    }

    /// Records the status of a file. Returns whether people have deleted it, if that has changed.
    func record(_ status: MirrorStatus, of name: String, now: ContinuousClock.Instant = .now) -> Bool? {
        files.withLock { files in
            guard let index = files.firstIndex(where: { $0.name == name }) else { return nil }
            let wasDeleted = files[index].isDeleted
            files[index].status = status
            files[index].wasThere = files[index].wasThere || status.content == .good
            files[index].failingSince = files[index].isFailing ? files[index].failingSince ?? now : nil
            return files[index].isDeleted == wasDeleted ? nil : !wasDeleted
        }
    }

    /// The answer to `/healthz`: 503 if something has failed for longer than `limit`.
    func report(after limit: Duration, now: ContinuousClock.Instant = .now) -> (isHealthy: Bool, report: JSON) {
        let files = files.withLock { $0 }
        let isHealthy = files.allSatisfy { file in file.failingSince.map { now - $0 <= limit } ?? true }
        var members: [(String, JSON)] = [("status", isHealthy ? "ok" : "failing")]
        for file in files { members.append((file.name, file.report(now))) }
        return (isHealthy, .object(JSONObject(members)))
    }

    /// The current problem, on one line; nil if there is none.
    var problem: String? {
        files.withLock { files in files.lazy.compactMap(\.problem).first }
    }
}

extension Health.FileHealth {
    /// Whether people have deleted the file.
    var isDeleted: Bool { isWrittenByPeople && wasThere && status.content == .missing }

    var isFailing: Bool {
        problem != nil || status.saving == .blocked || status.watching == .notWatching
    }

    /// The problem of using or saving the file; nil if there is none.
    var problem: String? {
        if isDeleted { return "the file of the \(name) was deleted: the last values stay in effect" }
        if case .invalid(let problem) = status.content { return problem.description }
        if case .failing(let problem) = status.saving { return problem.description }
        return nil
    }

    func report(_ now: ContinuousClock.Instant) -> JSON {
        let content: JSON =
            switch status.content {
            case .good: "good"
            case .missing: "missing"
            case .invalid: "invalid"
            }
        let saving: JSON =
            switch status.saving {
            case .clean: "clean"
            case .pending: "pending"
            case .blocked: "blocked"
            case .failing: "failing"
            }
        var members: [(String, JSON)] = [
            ("watching", JSON(status.watching.description)), ("content", content), ("saving", saving),
        ]
        if let problem { members.append(("problem", JSON(problem))) }
        if let failingSince { members.append(("seconds", JSON(Int((now - failingSince) / .seconds(1))))) }
        return .object(JSONObject(members))
    }
}
