internal import Glibc

/// The steps of a replacement up to the exchange, in their order.
extension ReplaceOperation {
    /// Calls the caller's closure; returns nil if the file is to stay as it is.
    mutating func requestBytes(for found: FoundFile) throws -> [UInt8]? {
        guard let bytes = try nextBytes(found) else { return nil }
        result.tries += 1
        return bytes
    }

    mutating func prepare(
        _ bytes: [UInt8], like found: borrowing FoundVersion<System>, _ lost: inout Set<Replacement.Attribute>,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> NewVersion<System> {
        let old = NewVersionSpecification.AttributeSource(descriptor: found.file.descriptor, status: found.status)
        return try NewVersion.prepare(
            specification(bytes, permissions: 0, old),
            for: resolved.name, in: resolved.directory, lost: &lost)
    }

    func specification(
        _ bytes: [UInt8], permissions: UInt32, _ old: NewVersionSpecification.AttributeSource? = nil,
        lastStatus: FileStatus? = nil
    ) -> NewVersionSpecification {
        NewVersionSpecification(
            path: path, bytes: bytes, permissions: permissions, isDurable: options.durability == .durable,
            isNamed: !supportsUnnamedFiles, attributeSource: old, lastStatus: lastStatus, marker: marker)
    }

    /// Checks just before the exchange that the file is still the version that was found. The check is cheap, and
    /// avoids exposing a version that would be rolled back a moment later.
    mutating func isStillCurrent(
        _ found: inout FoundVersion<System>, at resolved: borrowing ResolvedPath<System>
    ) throws -> Bool {
        if try isFreeOfWriters(found), let now = try status(of: resolved.name, at: resolved) {
            if now == found.status { return true }
            if try adoptIfSameBytes(&found, named: resolved.name, now, at: resolved) { return true }
        }
        found.file.releaseLease()
        return false
    }

    /// Returns whether no process waits to open the file for writing. After repeated waits, writers are made to wait
    /// until the new version is in place: then they open the old version, and their edits are merged.
    mutating func isFreeOfWriters(_ found: borrowing FoundVersion<System>) throws -> Bool {
        if try withFileError(path, .lease, { () throws(ErrorNumber) in try found.isLeaseUnbroken() }) { return true }
        return !retryLimit.shouldYield(at: calls.monotonicMicroseconds)
    }

    /// Returns whether the file named `name` holds the bytes that were found, and takes it as the found version from
    /// now on. Such a file was touched, had its metadata changed, or was replaced by a copy.
    mutating func adoptIfSameBytes(
        _ found: inout FoundVersion<System>, named name: String, _ now: FileStatus,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> Bool {
        guard now.kind == .regular, now.identity.size == found.status.identity.size, !mustKeepLinks(now) else {
            return false
        }
        if now.isSameFile(as: found.status) {
            guard try found.holds(now, path) else { return false }
            found.status = now
            return true
        }
        guard let other = try openCopy(of: found, named: name, at: resolved) else { return false }
        found = other
        recordLease(found.lease)
        return true
    }

    /// Opens another file with the same bytes that no process has open for writing.
    private func openCopy(
        of found: borrowing FoundVersion<System>, named name: String, at resolved: borrowing ResolvedPath<System>
    ) throws -> FoundVersion<System>? {
        do {
            guard let other = try FoundVersion.open(name, at: resolved, limit: limit, waitsForWriters: false),
                other.lease != .writerDidNotClose, other.bytes.isSame(as: found.bytes)
            else { return nil }
            return other
        } catch is FileError {
            // The next attempt reports the error.
            return nil
        }
    }

    /// Returns whether the path still leads to the directory of that file. That is also true if another file has just
    /// taken the name in the directory.
    func pathLeads(to file: FileStatus, at resolved: borrowing ResolvedPath<System>) throws -> Bool {
        if let current = try status(at: path), current.isSameFile(as: file) { return true }
        return try status(of: resolved.name, at: resolved).map { !$0.isSameFile(as: file) } ?? true
    }

    /// Links the new version under a temporary name that identifies both versions, for recovery after a crash.
    func linkTemporaryName(
        _ new: inout NewVersion<System>, replacing found: borrowing FoundVersion<System>,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> String {
        func version(_ status: FileStatus, _ bytes: [UInt8]) -> TemporaryName.VersionID {
            .inode(of: status, marker?.digest(of: bytes) ?? Digest(bytes))
        }
        let versions = TemporaryName.Kind.swap(
            new: version(new.status, new.bytes), expected: version(found.status, found.bytes))
        let temporaryName = TemporaryName(versions).name(for: resolved.name)
        try new.setName(temporaryName, in: resolved.directory, path)
        return temporaryName
    }

    /// Takes a write lease if possible, so that no process reads a version that may be rolled back.
    func tryWriteLease(on new: inout NewVersion<System>) {
        do throws(ErrorNumber) { try new.file.takeLease(.write) } catch {}
    }

    /// Puts the new version in place; returns false, with nothing changed, if the file was not the found version.
    ///
    /// `displacedName` receives the temporary name of the displaced version.
    mutating func moveIntoPlace(
        _ new: inout NewVersion<System>, named temporaryName: String, of found: inout FoundVersion<System>,
        _ copied: inout CopiedAttributes, _ displacedName: inout String?, at resolved: borrowing ResolvedPath<System>
    ) throws -> Bool {
        if strategy == .exchange, try exchange(temporaryName, at: resolved) {
            displacedName = temporaryName
            return try verifyExchange(&new, named: temporaryName, of: &found, &copied, at: resolved)
        }
        if strategy == .exchange { return false }
        if !found.lease.detectsOpens { displacedName = try linkDisplacedName(of: found, at: resolved) }
        let directory = resolved.directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in
                try calls.rename(temporaryName, to: resolved.name, in: directory)
            }
        } catch {
            throw DirectoryNotModifiable(error, .exchange) ?? FileError(error, path, .exchange)
        }
        new.name.keep()
        return true
    }

    /// Links the found version under a temporary name before it is renamed over; returns nil if that fails or the file
    /// is no longer in place.
    private func linkDisplacedName(
        of found: borrowing FoundVersion<System>, at resolved: borrowing ResolvedPath<System>
    ) throws -> String? {
        let (name, directory) = (
            TemporaryName(.displaced(found.version)).name(for: resolved.name), resolved.directory.descriptor
        )
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.link(resolved.name, to: name, in: directory) }
        } catch {
            return nil
        }
        if try status(of: name, at: resolved)?.isSameFile(as: found.status) == true { return name }
        removeTemporaryFile(name, in: directory, calls)
        return nil
    }

    /// Exchanges the names; returns false if the file does not exist, or if the file system does not support it and
    /// another strategy has to be used.
    mutating func exchange(_ temporaryName: String, at resolved: borrowing ResolvedPath<System>) throws -> Bool {
        let directory = resolved.directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in
                try calls.exchange(temporaryName, resolved.name, in: directory)
            }
            return true
        } catch {
            switch error.rawValue {
            case ENOENT: return false
            case EINVAL, ENOSYS, EOPNOTSUPP:
                strategy = .rename
                return false
            default: throw DirectoryNotModifiable(error, .exchange) ?? FileError(error, path, .exchange)
            }
        }
    }
}
