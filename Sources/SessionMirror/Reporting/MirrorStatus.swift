/// How a session and its file are getting on.
public struct MirrorStatus: Sendable, Hashable {
    /// How changes of the file are noticed.
    public enum Watching: Sendable, Hashable {
        /// The kernel tells, at once.
        case live
        /// The file is looked at now and then, for the reason given.
        case polling(String)
        /// Nothing is watched: the session has no file, was told not to, or was closed.
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

    /// What becomes of the program's changes.
    public enum Saving: Sendable, Hashable {
        /// The file has all of them; also said of a session without a file.
        case clean
        /// They will be saved in a moment.
        case pending
        /// They wait: the file holds something that cannot be used, which is not overwritten, or what the program
        /// changed cannot be written.
        case held
        /// Saving does not work. It is tried again and again; meanwhile the changes are in memory only.
        case failing(Problem)
    }

    /// How changes of the file are noticed.
    public var watching: Watching

    /// What the file holds.
    public var content: Content

    /// What becomes of the program's changes.
    public var saving: Saving

    /// A status, for tests of what is made of it.
    public init(watching: Watching, content: Content, saving: Saving = .clean) {
        (self.watching, self.content, self.saving) = (watching, content, saving)
    }
}

extension MirrorStatus.Saving {
    var problem: Problem? {
        if case .failing(let problem) = self { problem } else { nil }
    }
}

extension MirrorStatus.Content {
    var problem: Problem? {
        if case .invalid(let problem) = self { problem } else { nil }
    }
}
