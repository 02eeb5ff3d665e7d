public import FileWatching

/// The synchronization status of a session and its file.
public struct MirrorStatus: Sendable, Hashable {
    /// How the session notices changes of the file.
    public enum Watching: Sendable, Hashable {
        /// By events from the kernel, at once.
        case live
        /// By polling the file, for the reason given.
        case polling(FileWatchReason)
        /// Not at all: the session has no file, was opened with watching off, or is closed.
        case notWatching
    }

    /// What the file contains.
    public enum Content: Sendable, Hashable {
        /// The session's value. Also the content of a session without a file.
        case good
        /// The file does not exist. The session keeps the last valid value, or the defaults.
        case missing
        /// The file cannot be used. The session keeps the last valid value, or the defaults.
        case invalid(SessionProblem)
    }

    /// Whether the file has the program's changes.
    public enum Saving: Sendable, Hashable {
        /// The file has all changes. Also the state of a session without a file.
        case clean
        /// Changes are pending and will be saved soon.
        case pending
        /// Changes are pending and cannot be saved until something else changes: either the file is invalid, and is not
        /// overwritten, or the program's value cannot be written.
        case blocked
        /// Saving fails and is retried. Until it succeeds, the changes are in memory only.
        case failing(SessionProblem)
    }

    /// How the session notices changes of the file.
    public var watching: Watching

    /// What the file contains.
    public var content: Content

    /// Whether the file has the program's changes.
    public var saving: Saving

    /// The warnings about the content of the file: keys that the type does not have, duplicate keys, and values
    /// that the program reads as another type. Each was reported once.
    public var warnings: [SessionProblem]

    /// The synchronization with other machines; nil if the session is not part of a fleet.
    public var fleet: FleetStatus?

    /// Whether the system refuses to create a thread that this process needs. Loads, saves and callbacks are then
    /// delayed: the thread that watches files runs them until another thread can be created. The same for all sessions
    /// of the process; no report announces it.
    public var isShortOfThreads = false

    /// Creates a status, for tests of code that handles one.
    public init(watching: Watching, content: Content, saving: Saving = .clean, warnings: [SessionProblem] = []) {
        (self.watching, self.content, self.saving, self.warnings) = (watching, content, saving, warnings)
    }
}

extension MirrorStatus {
    /// The status of a session that cannot use a valid file, or the value of another session, because of `problem`.
    func adding(_ problem: SessionProblem?) -> MirrorStatus {
        guard let problem, content.problem == nil else { return self }
        var status = self
        status.content = .invalid(problem)
        return status
    }
}

extension MirrorStatus: CustomStringConvertible {
    /// The status on one line, for logs: `watching: live, content: good, saving: pending`.
    public var description: String {
        var parts = ["watching: \(watching)", "content: \(content)", "saving: \(saving)"]
        if !warnings.isEmpty { parts.append("warnings: \(warnings.count)") }
        if let fleet { parts.append("fleet: \(fleet)") }
        if isShortOfThreads { parts.append("short of threads") }
        return parts.joined(separator: ", ")
    }
}

extension MirrorStatus.Watching: CustomStringConvertible {
    /// `live`, `polling` with the reason in parentheses, or `off`.
    public var description: String {
        switch self {
        case .live: "live"
        case .polling(let reason): "polling (\(reason))"
        case .notWatching: "off"
        }
    }
}

extension MirrorStatus.Content: CustomStringConvertible {
    /// `good`, `missing`, or `invalid` with the problem in parentheses.
    public var description: String {
        switch self {
        case .good: "good"
        case .missing: "missing"
        case .invalid(let problem): "invalid (\(problem))"
        }
    }
}

extension MirrorStatus.Saving: CustomStringConvertible {
    /// `clean`, `pending`, `blocked`, or `failing` with the problem in parentheses.
    public var description: String {
        switch self {
        case .clean: "clean"
        case .pending: "pending"
        case .blocked: "blocked"
        case .failing(let problem): "failing (\(problem))"
        }
    }
}

extension MirrorStatus.Saving {
    var problem: SessionProblem? {
        if case .failing(let problem) = self { problem } else { nil }
    }
}

extension MirrorStatus.Content {
    var problem: SessionProblem? {
        if case .invalid(let problem) = self { problem } else { nil }
    }
}
