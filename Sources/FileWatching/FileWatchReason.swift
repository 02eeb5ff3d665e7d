/// Why the kernel cannot be asked to tell of every change of a file, and what would help.
///
/// ```swift
/// if case .polling(let reason) = watch.status { print(reason) }
/// // this user's inotify watches are used up (limit 8192); raise the limit: sysctl
/// // fs.inotify.max_user_watches=16384; tried again every second
/// ```
public struct FileWatchReason: Error, Sendable, Hashable {
    /// What a program can tell reasons apart by.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The path is empty, too long or holds a NUL.
        case invalidPath
        /// The user has as many inotify instances as allowed.
        case instanceLimit
        /// The user has as many inotify watches as allowed.
        case watchLimit
        /// The process, or the machine, has as many files open as allowed, or the process too many for libinotifytools.
        case descriptorLimit
        /// A folder on the way may not be read, and nothing in it tells of its changes.
        case unreadableFolder
        /// The path leads to a file system whose changes the kernel does not always hear of.
        case fileSystem
        /// Whoever watches wants it so: ``FileWatchMethod/polling``.
        case requested
        /// The process was forked from the one that watches.
        case forked
        /// A call of the system failed in a way that is not foreseen.
        case system
    }

    /// What a program can tell it by.
    public let code: Code

    /// What is wrong, for a person.
    public let summary: String

    /// What would help, for a person; nil when there is nothing.
    public let advice: String?

    /// The number of the system's error, as in `errno`; 0 when there was none.
    public let errorNumber: Int32

    init(_ code: Code, _ summary: String, advice: String? = nil, errorNumber: Int32 = 0) {
        (self.code, self.summary, self.advice, self.errorNumber) = (code, summary, advice, errorNumber)
    }
}

extension FileWatchReason {
    /// When the file will be watched by the kernel again, for a person: that needs nobody's help. Nil where it will not be.
    public var wayBack: String? {
        switch code {
        case .instanceLimit, .watchLimit, .descriptorLimit, .unreadableFolder, .system: "tried again every second"
        case .fileSystem, .invalidPath: "watched by the kernel again when the path leads elsewhere"
        case .requested, .forked: nil
        }
    }

    /// Whether time may help: what it waits for is told by nobody.
    var isToBeTriedAgain: Bool { ![.fileSystem, .invalidPath, .requested].contains(code) }

    /// Whether something is used up, which it is for every path then.
    var isLimit: Bool { [.instanceLimit, .watchLimit, .descriptorLimit].contains(code) }
}

extension FileWatchReason: CustomStringConvertible {
    /// The summary, the advice and the way back.
    public var description: String { wayBack.map { "\(explanation); \($0)" } ?? explanation }

    /// The summary and the advice.
    var explanation: String { advice.map { "\(summary); \($0)" } ?? summary }
}
