internal import Glibc
internal import Locking

/// The directories that this process has searched for leftovers, so that an unchanged directory is not searched again.
///
/// Only the holder of the lock leaves temporary files in a directory, so a directory that has not changed holds the
/// same files as before. Its change time proves that if the kernel gives any two observable changes different times;
/// otherwise two changes within a few milliseconds look like one.
enum DirectoryScanCache {
    /// Identifies a directory.
    struct Key: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: FileStatus) { (device, inode) = (status.identity.device, status.identity.inode) }
    }

    private struct Entry {
        let changed: FileTime
        /// All temporary names in the directory, for any file.
        let temporaryNames: [String]
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Directories that may hold leftovers not in the cache.
        var invalidated: Set<Key> = []
    }

    private static let state = Lock(State())
    private static let maximumEntries = 1_000

    /// Returns the temporary names in the directory; nil if it changed since the search.
    static func temporaryNames(in directory: FileStatus) -> [String]? {
        state.withLock { state in
            state.entries[Key(directory)].flatMap { $0.changed == directory.identity.changed ? $0.temporaryNames : nil }
        }
    }

    static func remember(_ temporaryNames: [String], in directory: FileStatus) {
        state.withLock { state in
            if state.entries.count >= maximumEntries { state.entries = [:] }
            // Some old file systems store whole seconds.
            let isExact = directory.identity.changed.nanoseconds != 0
            let isSure = state.invalidated.remove(Key(directory)) == nil && isExact
            state.entries[Key(directory)] =
                isSure ? Entry(changed: directory.identity.changed, temporaryNames: temporaryNames) : nil
        }
    }

    static func forget(_ directory: FileStatus) { state.withLock { $0.entries[Key(directory)] = nil } }

    /// Makes the next replacement search the directory, because a file could not be removed.
    static func invalidate(_ directory: FileStatus) { state.withLock { _ = $0.invalidated.insert(Key(directory)) } }
}

/// Removes a temporary file; returns false if it stays. The next replacement finds it again.
@discardableResult
func removeTemporaryFile(_ name: String, in directory: Int32, _ calls: some FileCalls) -> Bool {
    do throws(ErrorNumber) {
        try uninterrupted { () throws(ErrorNumber) in try calls.remove(name, in: directory) }
        return true
    } catch {
        if error.rawValue == ENOENT { return true }
        if let status = try? calls.status(of: directory) { DirectoryScanCache.invalidate(status) }
        return false
    }
}
