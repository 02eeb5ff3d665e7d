internal import Glibc

/// The steps after the exchange: checking what was displaced, and whether a process still writes to it.
extension ReplaceOperation {
    /// Returns whether the displaced file holds the found bytes and no process has opened it for writing since.
    /// Otherwise it rolls the exchange back at once: the edit in that file was invisible for some microseconds, and the
    /// next attempt reads it in its place.
    mutating func verifyExchange(
        _ new: inout NewVersion<System>, named temporaryName: String, of found: inout FoundVersion<System>,
        _ copied: inout CopiedAttributes, at resolved: borrowing ResolvedPath<System>
    ) throws -> Bool {
        new.name.keep()
        var displacedStatus: FileStatus?
        do {
            displacedStatus = try status(of: temporaryName, at: resolved)
            if try isFreeOfWriters(found), let displacedStatus,
                try isExpectedFile(displacedStatus, named: temporaryName, &found, at: resolved)
            {
                try refreshAttributes(&copied, of: new, from: found)
                return true
            }
            try rollBack(&new, named: temporaryName, of: &found, displacing: displacedStatus, at: resolved)
            return false
        } catch {
            // The displaced file is unknown, so it has to go back.
            if !(error is RollbackError) {
                try? rollBack(&new, named: temporaryName, of: &found, displacing: displacedStatus, at: resolved)
            }
            throw (error as? RollbackError)?.underlying ?? error
        }
    }

    /// Returns whether the displaced file is the found version. Times are not compared, because the exchange changes
    /// them.
    private mutating func isExpectedFile(
        _ displacedStatus: FileStatus, named temporaryName: String, _ found: inout FoundVersion<System>,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> Bool {
        if mustKeepLinks(displacedStatus) { return false }
        if !displacedStatus.isSameFile(as: found.status) {
            return try adoptIfSameBytes(&found, named: temporaryName, displacedStatus, at: resolved)
        }
        if !displacedStatus.hasSamePermissions(as: found.status) || displacedStatus.linkCount != found.status.linkCount
        {
            found.status = displacedStatus
        }
        return true
    }

    /// Waits until the name is on disk; returns the error if the disk fails.
    mutating func synchronizeDirectory(at resolved: borrowing ResolvedPath<System>) -> FileError? {
        result.durability = .none
        guard options.durability == .durable else { return nil }
        result.durability = .contentsOnly
        guard resolved.isListable else { return nil }
        let directory = resolved.directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.synchronize(directory) }
            result.durability = .complete
            return nil
        } catch {
            // Not every file system supports fsync on directories.
            if [EINVAL, EOPNOTSUPP, EBADF, EROFS].contains(error.rawValue) { return nil }
            return FileError(.notDurable, path, .synchronize, errorNumber: error.rawValue)
        }
    }

    /// Removes the displaced version if no process has written to it, and merges it otherwise.
    ///
    /// A process that looked up the name before the exchange cannot open the old version for writing while the lease is
    /// held; it can once the lease is released.
    mutating func finishDisplacedVersion(
        _ found: inout FoundVersion<System>, named temporaryName: String?, at resolved: borrowing ResolvedPath<System>
    ) throws {
        let isUnbroken = try withFileError(path, .lease) { () throws(ErrorNumber) in try found.isLeaseUnbroken() }
        if found.lease == .held, isUnbroken {
            if let temporaryName { remove(temporaryName, at: resolved) }
            return
        }
        // Our version is in place for good, so a change of the old version is an edit to merge.
        let name = try temporaryName.map { try renameAsDisplaced($0, found.version, at: resolved) }
        let (bytes, isOpen) = try found.bytesWhenClosed(path, limit: limit)
        if isOpen { recordActiveWriter(name, at: resolved) }
        let mayBeOpen = isOpen || !found.lease.detectsOpens
        if bytes.isSame(as: found.bytes) {
            guard let name else { return }
            if isOpen {
                DisplacedVersionCache.remember(bytes, as: resolved.path(of: name))
            } else if mayBeOpen {
                keepForQuietPeriod(name, holding: bytes, at: resolved)
            } else {
                remove(name, at: resolved)
            }
            return
        }
        let version = TemporaryName.VersionID.inode(of: found.status, Digest(bytes))
        addDisplaced(
            bytes, basedOn: found.bytes, name.map { mayBeOpen ? .open($0, version) : .temporary($0) } ?? .none,
            at: resolved)
    }

    mutating func recordResult(of new: borrowing NewVersion<System>, replacing old: FileStatus?) throws {
        let status = try withFileError(path, .status) { () throws(ErrorNumber) in try new.file.status() }
        result.contents = FileContents(
            bytes: new.bytes, identity: status.identity, mode: status.permissions, isStable: true)
        if old == nil {
            result.method = .created
        } else {
            result.method = strategy == .exchange ? .exchanged : .renamed
        }
        result.linksToOldVersion = max(result.linksToOldVersion, Int(old?.linkCount ?? 1) - 1)
    }
}

extension FileStatus {
    /// Returns whether owner, group and permission bits are equal.
    func hasSamePermissions(as other: FileStatus) -> Bool {
        permissions == other.permissions && user == other.user && group == other.group
    }
}

extension Replacement.Lease {
    /// Whether the kernel reports processes that open the file.
    var detectsOpens: Bool { self == .held || self == .writerDidNotClose }
}
