internal import Glibc

/// The kernel's inotify, or a library around it: one queue of events and the inodes that are watched by it.
///
/// Only the hub's thread touches it. Nothing here knows of paths that change: see ``InotifyBackend``.
protocol Inotify {
    /// Which one it is.
    var backend: FileWatchBackend { get }

    /// Why it is not the first choice; nil when it is.
    var detour: FileWatchReason? { get }

    /// What to poll; -1 while it is not started.
    var descriptor: Int32 { get }

    /// How many records of watches that are gone still take memory.
    var staleRecords: Int { get }

    /// Whether so many records are stale that starting over is worth its price.
    var isCrowded: Bool { get }

    mutating func start() throws(FileWatchReason)

    /// Ends every watch; events not collected yet are lost.
    mutating func stop()

    /// Somebody has closed the descriptor, and its number may be another one's by now.
    mutating func lost()

    /// Watches the directory itself or what it holds by that name, whose inode is not watched yet.
    mutating func add(_ name: FileName?, in directory: Directory, _ mask: InotifyMask) -> Result<Watch, SystemError>

    /// The watches whose inode has this number, on whatever device; none where that cannot be told.
    func watches(ofInodesNumbered number: UInt64) -> [Watch]

    /// Ends a watch; false if that cannot be done safely now and should be tried again by ``removeAtOnce(_:)``, about
    /// a second later. Events that it had to take from the queue meanwhile are appended.
    mutating func remove(_ watch: Watch, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool

    /// Ends a watch that has probably outlived its inode's last change.
    mutating func removeAtOnce(_ watch: Watch)

    /// Takes at most about `limit` events; true if there may be more.
    mutating func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool
}

extension Inotify {
    var detour: FileWatchReason? { nil }

    mutating func lost() { stop() }
}

/// The kernel's number of a watch. It is not used again for another one.
struct Watch: Hashable, Sendable {
    let number: Int32
}

/// One event, as the kernel tells it.
struct InotifyEvent: Equatable, Sendable {
    let watch: Watch
    let mask: InotifyMask
    /// The entry of the watched directory; nil when the watched thing itself is meant.
    let name: FileName?
}

/// What to watch for, and what happened.
struct InotifyMask: OptionSet, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ values: Int32...) { rawValue = values.reduce(0) { $0 | UInt32(bitPattern: $1) } }

    static let modified = InotifyMask(IN_MODIFY)
    static let closedByWriter = InotifyMask(IN_CLOSE_WRITE)
    static let attributes = InotifyMask(IN_ATTRIB)
    static let folder = InotifyMask(rawValue: UInt32(IN_ISDIR))
    static let moved = InotifyMask(IN_MOVED_FROM, IN_MOVED_TO, IN_MOVE_SELF)
    static let ignored = InotifyMask(IN_IGNORED)
    static let overflow = InotifyMask(IN_Q_OVERFLOW)

    /// Whether a folder has another name now.
    var isOfMovedFolder: Bool { contains(.folder) && !isDisjoint(with: .moved) }

    /// A regular file: its content, and whatever can mean that its name now stands for another one.
    static let file = InotifyMask(
        IN_MODIFY, IN_CLOSE_WRITE, IN_ATTRIB, IN_DELETE_SELF, IN_MOVE_SELF, IN_DONT_FOLLOW, IN_MASK_CREATE)

    /// A directory: names that come and go. What is written to its files wakes nobody.
    static let directory = InotifyMask(
        IN_CREATE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_MASK_CREATE)

    /// A directory with an entry that cannot be watched itself.
    static let directoryAndContents = directory.union([.closedByWriter, .attributes])
}

/// An error number, with its sentence.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
}
