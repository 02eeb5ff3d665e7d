internal import Glibc
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

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Folders in which something may lie that is not remembered.
        var doubts: Set<Key> = []
    }

    private static let state = Lock(State())
    private static let mostEntries = 1_000

    /// The names with marks, where nothing has changed since they were looked at.
    static func marks(in folder: FileStatus) -> [String]? {
        state.withLock { state in
            state.entries[Key(folder)].flatMap { $0.changed == folder.identity.changed ? $0.marks : nil }
        }
    }

    static func remember(_ marks: [String], in folder: FileStatus) {
        state.withLock { state in
            if state.entries.count >= mostEntries { state.entries = [:] }
            // Old small file systems count whole seconds.
            let isExact = folder.identity.changed.nanoseconds != 0
            let isSure = state.doubts.remove(Key(folder)) == nil && isExact
            state.entries[Key(folder)] = isSure ? Entry(changed: folder.identity.changed, marks: marks) : nil
        }
    }

    static func forget(_ folder: FileStatus) { state.withLock { $0.entries[Key(folder)] = nil } }

    /// Something could not be removed there: the next replacement has to look.
    static func doubt(_ folder: FileStatus) { state.withLock { _ = $0.doubts.insert(Key(folder)) } }
}

/// Removes a name of ours; one that stays is found again by the next replacement.
@discardableResult
func removeMark(_ name: String, in folder: Int32, _ calls: some FileCalls) -> Bool {
    do throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.remove(name, in: folder) }
        return true
    } catch {
        if error.rawValue == ENOENT { return true }
        if let status = try? calls.status(of: folder) { FolderMemory.doubt(status) }
        return false
    }
}
