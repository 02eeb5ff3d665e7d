internal import Locking

/// What this process knows of folders that it has looked through for left-overs, so that it need not look again while
/// nothing was changed there.
///
/// Under the lock of a folder nobody leaves marks but who holds it. So a folder that has not changed since holds what it
/// held. That it has not is known where the kernel gives every change that somebody could have asked about a time of
/// its own; elsewhere two changes within some milliseconds look like one.
enum FolderMemory {
    /// Which folder.
    struct Key: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: FileStatus) { (device, inode) = (status.identity.device, status.identity.inode) }
    }

    private struct Entry {
        let changed: FileTime
        /// The names with a mark of ours that were there, whosever they are.
        let marks: [String]
    }

    private static let entries = Lock<[Key: Entry]>([:])
    private static let mostEntries = 1_000

    /// The names with marks, where nothing has changed since they were looked at.
    static func marks(in folder: FileStatus) -> [String]? {
        entries.withLock { entries in
            entries[Key(folder)].flatMap { $0.changed == folder.identity.changed ? $0.marks : nil }
        }
    }

    static func remember(_ marks: [String], in folder: FileStatus) {
        entries.withLock { entries in
            if entries.count >= mostEntries { entries = [:] }
            entries[Key(folder)] = Entry(changed: folder.identity.changed, marks: marks)
        }
    }

    static func forget(_ folder: FileStatus) { entries.withLock { $0[Key(folder)] = nil } }
}
