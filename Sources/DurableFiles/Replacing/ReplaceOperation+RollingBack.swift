internal import Glibc

/// An error during a rollback.
struct RollbackError: Error { let underlying: any Error }

/// Rolling back an exchange that displaced another process's edit.
extension ReplaceOperation {
    /// Exchanges the names back at once, and then preserves what other processes did to our version meanwhile.
    ///
    /// `displacedStatus` is the status of the displaced file, if known: the version that was found, or another file.
    mutating func rollBack(
        _ new: inout NewVersion<System>, named temporaryName: String, of found: inout FoundVersion<System>,
        displacing displacedStatus: FileStatus?, at resolved: borrowing ResolvedPath<System>
    ) throws {
        let hadWriteLease = new.file.lease == .write
        do {
            try restoreNames(
                displacedStatus, named: temporaryName, for: new, hadWriteLease: hadWriteLease, at: resolved)
            // The process that broke the lease on the found file is waiting to open it.
            found.file.releaseLease()
            let restored =
                hadWriteLease ? try restoreBytesForWaitingOpener(&new, found, displacedStatus, at: resolved) : nil
            // Writers of our version are waited for, and our own descriptor must not count as one.
            new.file.close()
            guard let leftover = try FoundVersion.open(temporaryName, at: resolved, limit: limit) else { return }
            if leftover.status.isSameFile(as: new.status) {
                try handleRolledBack(leftover, named: temporaryName, writtenAs: restored ?? new.bytes, at: resolved)
            } else if hadWriteLease, let displacedStatus, leftover.status.isSameFile(as: displacedStatus) {
                // The file renamed over ours is based on ours or, if it is the displaced file, on the found version.
                try handleRolledBack(leftover, named: temporaryName, writtenAs: found.bytes, at: resolved)
            } else {
                addDisplaced(
                    leftover.bytes, basedOn: hadWriteLease ? nil : new.bytes, .temporary(temporaryName), at: resolved)
            }
        } catch {
            throw RollbackError(underlying: error)
        }
    }

    /// Puts the displaced file back in its place. If another process has renamed a file over our version, which no
    /// process could read, that file belongs there instead: it must stay visible, because its writer reads and rewrites
    /// it next.
    private func restoreNames(
        _ displacedStatus: FileStatus?, named temporaryName: String, for new: borrowing NewVersion<System>,
        hadWriteLease: Bool,
        at resolved: borrowing ResolvedPath<System>
    ) throws {
        if hadWriteLease, displacedStatus != nil, let current = try status(of: resolved.name, at: resolved),
            !current.isSameFile(as: new.status)
        {
            return
        }
        try exchangeBack(temporaryName, at: resolved)
        guard hadWriteLease, let displacedStatus, let hidden = try status(of: temporaryName, at: resolved),
            !hidden.isSameFile(as: new.status)
        else { return }
        try exchangeBack(temporaryName, at: resolved)
        // Another process interfered again; the latest file stays.
        if let hidden = try status(of: temporaryName, at: resolved), !hidden.isSameFile(as: displacedStatus) {
            try exchangeBack(temporaryName, at: resolved)
        }
    }

    private func exchangeBack(_ temporaryName: String, at resolved: borrowing ResolvedPath<System>) throws {
        let directory = resolved.directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in
                try calls.exchange(temporaryName, resolved.name, in: directory)
            }
        } catch {
            // Our version or the displaced file was removed meanwhile. Give the remaining file its name back.
            guard error.rawValue == ENOENT else { throw FileError(error, path, .exchange) }
            try? uninterrupted { () throws(ErrorNumber) in
                try calls.rename(temporaryName, toUnused: resolved.name, in: directory)
            }
        }
    }

    /// Writes the current contents of the file into our version if a process waits to open it, and returns them;
    /// returns nil if no process waits. That process resolved the name to our version. It sees the current contents
    /// when it opens the file, so its edit neither misses an edit nor includes our bytes, which are written again
    /// later.
    private func restoreBytesForWaitingOpener(
        _ new: inout NewVersion<System>, _ found: borrowing FoundVersion<System>, _ displacedStatus: FileStatus?,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> [UInt8]? {
        let isUnbroken = try withFileError(path, .lease) { () throws(ErrorNumber) in try new.file.isLeaseUnbroken() }
        if isUnbroken { return nil }
        var bytes = found.bytes
        if displacedStatus?.isSameFile(as: found.status) != true,
            let current = try FoundVersion.open(resolved.name, at: resolved, limit: limit)
        {
            bytes = current.bytes
        }
        try withFileError(path, .write) { () throws(ErrorNumber) in
            try new.file.write(bytes[...], at: 0)
            try new.file.setSize(bytes.count)
        }
        return bytes
    }

    /// Removes the file that the rollback left under the temporary name, unless a process has written to it or may
    /// still do so.
    private mutating func handleRolledBack(
        _ leftover: borrowing FoundVersion<System>, named temporaryName: String, writtenAs known: [UInt8],
        at resolved: borrowing ResolvedPath<System>
    ) throws {
        if leftover.lease == .held {
            if leftover.bytes.isSame(as: known) { return remove(temporaryName, at: resolved) }
            return addDisplaced(leftover.bytes, basedOn: known, .temporary(temporaryName), at: resolved)
        }
        let displacedName = try renameAsDisplaced(
            temporaryName, .inode(of: leftover.status, Digest(known)), at: resolved)
        if leftover.lease == .writerDidNotClose { recordActiveWriter(displacedName, at: resolved) }
        if leftover.bytes != known {
            return addDisplaced(leftover.bytes, basedOn: known, .open(displacedName, leftover.version), at: resolved)
        }
        if leftover.lease != .writerDidNotClose { keepForQuietPeriod(displacedName, holding: known, at: resolved) }
    }
}
