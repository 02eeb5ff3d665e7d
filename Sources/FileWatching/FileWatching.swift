/// What watching costs this process as a whole.
///
/// ```swift
/// print(FileWatching.statistics.kernelWatches)
/// ```
public enum FileWatching {
    /// How things are now: a copy, taken after the last event.
    public static var statistics: FileWatchingStatistics { Hub.shared.statistics }
}

/// What all ``FileWatch``es of a process share.
public struct FileWatchingStatistics: Sendable, Hashable {
    /// Paths that are watched.
    public internal(set) var filesWatched = 0

    /// Paths of these that are polled, see ``FileWatchStatus/polling(_:)``.
    public internal(set) var filesPolled = 0

    /// What watches the files that are not polled; nil before the first one.
    public internal(set) var backend: FileWatchBackend?

    /// Why libinotifytools is not used for them, in a package that is built with it; nil when it is.
    public internal(set) var detour: FileWatchReason?

    /// Watches that the kernel keeps for them: about one a file and one a folder on the way.
    public internal(set) var kernelWatches = 0

    /// Records of watches that the kernel has ended and libinotifytools cannot drop until everything starts over.
    public internal(set) var staleRecords = 0

    /// How often the kernel dropped events.
    public internal(set) var overflows = 0

    /// How often everything was watched anew, because of an overflow or to drop stale records.
    public internal(set) var restarts = 0

    /// How often the watching thread had something to do. At rest it stays as it is.
    public internal(set) var wakeups = 0
}
