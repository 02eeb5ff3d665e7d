/// What a ``FileWatch`` reports to its handler.
public enum FileWatchSignal: Sendable, Hashable {
    /// The file may have other content, may be another file, or may be gone. Read it to find out.
    case mayHaveChanged
    /// The status of the watch has changed.
    case status(FileWatchStatus)
}

/// How reliably changes of a file are reported.
public enum FileWatchStatus: Sendable, Hashable {
    /// The kernel reports every change.
    case live
    /// The kernel may not report every change, for the given reason. The path is checked once a second, and more often
    /// shortly after a change. Unless only polling was requested, changes that the kernel does report still arrive
    /// immediately. The watch returns to ``live`` by itself when it can.
    case polling(FileWatchReason)
}

/// What watches a file. It is chosen per file, and changes when a better backend becomes available.
public enum FileWatchBackend: String, Sendable, Hashable, CaseIterable {
    /// The kernel's inotify, through libinotifytools. It is preferred if the package is built with its trait
    /// `InotifyTools`.
    case inotifyTools
    /// The kernel's inotify without a library, where libinotifytools is unavailable or cannot be used.
    case kernelInotify
    /// Periodic checks of the path, where the kernel does not report every change.
    case polling
}

/// How to watch a file.
public enum FileWatchMethod: String, Sendable, Hashable, CaseIterable {
    /// Uses inotify, and polling where inotify does not report every change.
    case automatic
    /// Uses polling only: for file systems that do not report all changes and that this library does not recognize.
    case polling
}
