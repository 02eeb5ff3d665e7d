/// What a ``FileWatch`` tells.
public enum FileWatchSignal: Sendable, Hashable {
    /// The file may be another, or hold something else, or be gone: only looking tells.
    case lookAgain
    /// How well the file is watched has changed.
    case status(FileWatchStatus)
}

/// How well a file is watched.
public enum FileWatchStatus: Sendable, Hashable {
    /// The kernel tells of every change.
    case live
    /// The kernel may not tell of every change, for this reason: the path is looked at once a second, and more often for a
    /// moment after a change. What the kernel does tell comes at once all the same, unless nothing but polling was asked
    /// for. The way back to ``live`` needs nobody's help.
    case polling(FileWatchReason)
}

/// What one ``FileWatch`` has seen.
public struct FileWatchMetrics: Sendable, Hashable {
    /// How often the handler was called to look again.
    public internal(set) var signals = 0

    /// How often the path turned out to lead elsewhere than before: another file, another folder, another link.
    public internal(set) var rearms = 0

    /// How often the kernel had so much to tell that it dropped events, and everything was looked at instead.
    public internal(set) var overflows = 0
}
