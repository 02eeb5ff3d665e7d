/// How a session and its file are getting on.
public struct MirrorStatus: Sendable, Hashable {
    /// How changes of the file are noticed.
    public enum Watching: Sendable, Hashable {
        /// The kernel tells, at once.
        case live
        /// The file is looked at now and then, for the reason given.
        case polling(String)
        /// Nothing is watched: the session has no file, or was closed.
        case frozen
    }

    /// What the file holds.
    public enum Content: Sendable, Hashable {
        /// What the session's value says; also said of a session without a file.
        case good
        /// There is no file. The value is what it was before, or the defaults.
        case missing
        /// Something that cannot be used. The value is what it was before, or the defaults.
        case invalid(Problem)
    }

    /// How changes of the file are noticed.
    public var watching: Watching

    /// What the file holds.
    public var content: Content
}

extension MirrorStatus.Content {
    var problem: Problem? {
        if case .invalid(let problem) = self { problem } else { nil }
    }
}
