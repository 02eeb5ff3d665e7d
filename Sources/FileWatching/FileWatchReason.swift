internal import VisibleText

/// The error thrown when a watch cannot begin.
///
/// ```
/// /etc/app.json cannot be watched: the limit of open files of this process is reached; raise it: ulimit -n …
/// ```
public struct FileWatchError: Error, Sendable, Hashable {
    /// The path, made absolute if that was possible.
    public let path: String

    /// Why the path cannot be watched.
    public let reason: FileWatchReason

    /// The code of the reason.
    public var code: FileWatchReason.Code { reason.code }

    init(_ path: String, _ reason: FileWatchReason) { (self.path, self.reason) = (path, reason) }
}

extension FileWatchError: CustomStringConvertible {
    /// The path, the reason and the advice in one line.
    public var description: String {
        path.isEmpty
            ? "the path to watch is empty" : "\(path.visible(upTo: 500)) cannot be watched: \(reason.explanation)"
    }
}

/// Why the kernel does not report every change of a file, and how to remedy that.
///
/// ```swift
/// if case .polling(let reason) = watch.status { print(reason) }
/// // the limit of inotify watches per user is reached (8192); raise it: sysctl
/// // fs.inotify.max_user_watches=16384; retried every second
/// ```
public struct FileWatchReason: Error, Sendable, Hashable {
    /// Identifies a reason to programs.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The path is empty, too long or contains a NUL.
        case invalidPath
        /// The user's limit of inotify instances is reached.
        case instanceLimit
        /// The user's limit of inotify watches is reached.
        case watchLimit
        /// The limit of open files of the process or the machine is reached, or the process has too many open files for
        /// libinotifytools.
        case descriptorLimit
        /// A directory that the path leads through is not readable, and nothing in it is watched that would report its
        /// changes.
        case unreadableDirectory
        /// The path leads to a file system whose changes the kernel does not always see.
        case fileSystem
        /// Polling was requested with ``FileWatchMethod/polling``.
        case requested
        /// The process is a child made by `fork` of the process that watches.
        case forked
        /// A system call failed unexpectedly.
        case system
    }

    /// Identifies the reason to programs.
    public let code: Code

    /// What is wrong, as text.
    public let summary: String

    /// A remedy, as text; nil if there is none.
    public let advice: String?

    /// The `errno` value of the failed system call; 0 if none failed.
    public let errorNumber: Int32

    init(_ code: Code, _ summary: String, advice: String? = nil, errorNumber: Int32 = 0) {
        (self.code, self.errorNumber) = (code, errorNumber)
        // Names of directories and file systems are untrusted.
        (self.summary, self.advice) = (summary.visible(upTo: 1_000), advice?.visible(upTo: 200))
    }
}

extension FileWatchReason {
    /// When the kernel will watch the file again without intervention, as text; nil if it will not.
    public var recovery: String? {
        switch code {
        case .instanceLimit, .watchLimit, .descriptorLimit, .unreadableDirectory, .system: "retried every second"
        case .fileSystem, .invalidPath: "watched by the kernel again when the path leads elsewhere"
        case .requested, .forked: nil
        }
    }

    /// Whether the obstacle may go away without any event.
    var isRetryable: Bool { ![.fileSystem, .invalidPath, .requested].contains(code) }

    /// Whether a limit is reached, which then affects all paths.
    var isLimit: Bool { [.instanceLimit, .watchLimit, .descriptorLimit].contains(code) }

    /// Whether a new watch begins with polling for this reason, instead of failing.
    var permitsPolling: Bool { code != .invalidPath }
}

extension FileWatchReason: CustomStringConvertible {
    /// The summary, the advice and the recovery in one line.
    public var description: String { recovery.map { "\(explanation); \($0)" } ?? explanation }

    /// The summary and the advice.
    var explanation: String { advice.map { "\(summary); \($0)" } ?? summary }
}
