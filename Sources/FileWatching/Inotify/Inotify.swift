internal import Glibc

/// An inotify instance, used directly or through a library: a queue of events and a set of watched inodes.
///
/// Only the watching thread uses it. It does not follow paths that lead elsewhere: see ``InotifyBackend``.
protocol Inotify: AnyObject {
    /// The implementation.
    var backend: FileWatchBackend { get }

    /// Why this is not the preferred implementation; nil if it is.
    var fallbackReason: FileWatchReason? { get }

    /// The descriptor to poll; -1 while the instance is not started.
    var descriptor: Int32 { get }

    /// The number of records of ended watches that still take memory.
    var staleRecords: Int { get }

    /// Whether a restart, which frees the stale records, costs less than keeping them.
    var hasTooManyStaleRecords: Bool { get }

    func start() throws(FileWatchReason)

    /// Ends all watches and discards the events that are not collected yet.
    func stop()

    /// Handles that other code of the process has closed the descriptor, whose number may already be in use again.
    func descriptorLost()

    /// Watches a directory, or the entry of that name in it. Its inode must not be watched yet.
    func add(
        _ name: FileName?, in directory: ResolvedDirectory, _ mask: InotifyMask
    ) -> Result<WatchDescriptor, SystemError>

    /// Returns the watches whose inode has this number, on any device; none if that cannot be determined.
    func watches(ofInodesNumbered number: UInt64) -> [WatchDescriptor]

    /// Ends a watch. Returns false if that is not safe now; then ``removeNow(_:)`` should be called about a second
    /// later. Events that had to be collected for that are appended to `events`.
    func remove(_ watch: WatchDescriptor, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool

    /// Ends a watch whose inode has probably not changed for a while.
    func removeNow(_ watch: WatchDescriptor)

    /// Collects at most about `limit` events. Returns whether there may be more.
    func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool
}

extension Inotify {
    var fallbackReason: FileWatchReason? { nil }

    func descriptorLost() { stop() }
}

/// The kernel's number of a watch. The kernel does not reuse it.
struct WatchDescriptor: Hashable, Sendable {
    let number: Int32
}

/// One event of the kernel.
struct InotifyEvent: Equatable, Sendable {
    let watch: WatchDescriptor
    let mask: InotifyMask
    /// The entry of the watched directory; nil for an event of the watched inode itself.
    let name: FileName?
}

/// The kinds of events to watch for, or that happened.
struct InotifyMask: OptionSet, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ values: Int32...) { rawValue = values.reduce(0) { $0 | UInt32(bitPattern: $1) } }

    static let modified = InotifyMask(IN_MODIFY)
    static let closedByWriter = InotifyMask(IN_CLOSE_WRITE)
    static let attributes = InotifyMask(IN_ATTRIB)
    static let isDirectory = InotifyMask(rawValue: UInt32(IN_ISDIR))
    static let moved = InotifyMask(IN_MOVED_FROM, IN_MOVED_TO, IN_MOVE_SELF)
    static let ignored = InotifyMask(IN_IGNORED)
    static let overflow = InotifyMask(IN_Q_OVERFLOW)

    /// Whether the event reports that a directory was renamed.
    var isOfMovedDirectory: Bool { contains(.isDirectory) && !isDisjoint(with: .moved) }

    /// The events of a regular file: changes of its content, and those after which its name may denote another file.
    static let file = InotifyMask(
        IN_MODIFY, IN_CLOSE_WRITE, IN_ATTRIB, IN_DELETE_SELF, IN_MOVE_SELF, IN_DONT_FOLLOW, IN_MASK_CREATE)

    /// The events of a directory: names that appear and disappear, but no writes to its files.
    static let directory = InotifyMask(
        IN_CREATE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_MASK_CREATE)

    /// The events of a directory with an entry that cannot be watched itself.
    static let directoryAndContents = directory.union([.closedByWriter, .attributes])
}

/// An `errno` value.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
}
