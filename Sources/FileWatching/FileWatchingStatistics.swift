/// The state and the counters that all ``FileWatch`` objects of a process share.
///
/// ```swift
/// print(FileWatchingStatistics.current.kernelWatches)
/// ```
public struct FileWatchingStatistics: Sendable, Hashable {
    /// The statistics after the last event.
    public static var current: FileWatchingStatistics { WatchService.shared.statistics }

    /// The number of watched paths.
    public internal(set) var filesWatched = 0

    /// The number of watched paths that are polled: see ``FileWatchStatus/polling(_:)``.
    public internal(set) var filesPolled = 0

    /// The backend for files that are not polled; nil before the first one.
    public internal(set) var backend: FileWatchBackend?

    /// Why libinotifytools is not used in a package built with it; nil if it is used.
    public internal(set) var fallbackReason: FileWatchReason?

    /// The number of inotify watches: about one per file and one per directory that the paths lead through.
    public internal(set) var kernelWatches = 0

    /// The number of records that libinotifytools keeps of watches that the kernel has ended. Only a restart frees
    /// them.
    public internal(set) var staleRecords = 0

    /// The number of times that the kernel's event queue overflowed.
    public internal(set) var overflows = 0

    /// The number of times that all paths were armed again, after an overflow or to free stale records.
    public internal(set) var restarts = 0

    /// The number of times that the watching thread woke up. It stays constant while nothing happens.
    public internal(set) var wakeups = 0
}

/// The counters of one ``FileWatch``.
public struct FileWatchMetrics: Sendable, Hashable {
    /// The number of times that the handler was called with ``FileWatchSignal/mayHaveChanged``.
    public internal(set) var signals = 0

    /// The number of times that the path was found to lead elsewhere: to another file, directory or link.
    public internal(set) var rearms = 0

    /// The number of times that the kernel's event queue overflowed. A change of every file is reported then.
    public internal(set) var overflows = 0
}
