/// The synchronization status of a session and its file.
public struct MirrorStatus: Sendable, Hashable {
    /// How the session notices changes of the file.
    public enum Watching: Sendable, Hashable {
        /// By events from the kernel, at once.
        case live
        /// By polling the file, for the reason given.
        case polling(String)
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

    /// Whether the system refuses to create a thread that this process needs. Loads, saves and callbacks are then delayed:
    /// the thread that watches files runs them until another thread can be created. The same for all sessions of the
    /// process; no report announces it.
    public var isShortOfThreads = false

    /// Creates a status, for tests of code that handles one.
    public init(watching: Watching, content: Content, saving: Saving = .clean) {
        (self.watching, self.content, self.saving) = (watching, content, saving)
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

/// Counters of a session since it was opened.
public struct MirrorMetrics: Sendable, Hashable {
    /// The number of times the file was read.
    public var loads = 0

    /// The number of times a change of the file became a new version.
    public var reloads = 0

    /// The number of times the content of the file was rejected and reported as a problem.
    public var rejectedLoads = 0

    /// The number of times the file was written.
    public var saves = 0

    /// The number of times writing the file failed.
    public var failedSaves = 0

    /// The number of times changes of the program and of others were merged.
    public var merges = 0

    /// The number of conflicts, restored values and reverted values.
    public var conflicts = 0

    /// The number of times a component of the path was replaced and had to be watched anew.
    public var rearms = 0

    /// The number of times the kernel dropped events because too many arrived at once. Everything was then loaded again.
    public var overflows = 0

    /// The longest time from reading the file to the new version.
    public var slowestReload = Duration.zero

    /// The longest time that a save took.
    public var slowestSave = Duration.zero
}
