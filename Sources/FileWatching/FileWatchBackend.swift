/// What watches a file for us. Which one it is is chosen for each file, and changes when another one serves better.
public enum FileWatchBackend: String, Sendable, Hashable, CaseIterable {
    /// The kernel's inotify, by way of libinotifytools: the first choice, unless the package is built without its trait
    /// `InotifyTools`.
    case inotifyTools
    /// The kernel's inotify itself, where libinotifytools cannot serve or is not there.
    case kernelInotify
    /// Looks at the path from time to time, where the kernel does not tell of every change.
    case polling
}

/// How a file is to be watched.
public enum FileWatchMethod: String, Sendable, Hashable, CaseIterable {
    /// By the kernel's inotify where it tells of every change, and by polling where it does not.
    case automatic
    /// By polling, for file systems that keep changes from the kernel and are not known to.
    case polling
}
