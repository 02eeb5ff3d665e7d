internal import Glibc

/// Overwriting the file in place, if its directory cannot be modified or its hard links must be kept.
///
/// A backup copy of both versions is on disk before the overwrite and removed after it; from it, the next replacement
/// repairs a file that a crash left partly overwritten. A write lease, if available, keeps other processes from opening
/// the file until all bytes are written, so that none of them reads a part.
extension ReplaceOperation {
    mutating func overwriteInPlace(
        _ found: consuming FoundVersion<System>, with bytes: [UInt8], at resolved: borrowing ResolvedPath<System>
    ) throws -> AttemptResult {
        let (status, old) = (found.status, found.bytes)
        // The file must not be open anywhere, not even in this process, to take a write lease.
        _ = consume found
        var lease = Replacement.Lease.held
        guard var target = try openTarget(status, holding: old, at: resolved, &lease) else { return .retry }
        let backup = try writeBackup(old, bytes, of: target, status, at: resolved)
        let attributes = attributeNames(of: target)
        try write(bytes, over: old, into: target, backup)
        marker?.write(to: target)
        let after = try withFileError(path, .status) { () throws(ErrorNumber) in try target.status() }
        target.releaseLease()
        if !backup.remove() { result.leftovers.append(backup.path) }

        recordWritten(bytes, isDurable: true, at: resolved)
        result.method = .overwritten
        recordLease(lease)
        result.durability = options.durability == .durable ? .complete : .none
        result.lostAttributes.formUnion(attributes.subtracting(attributeNames(of: target)).map { .extended($0) })
        if after.permissions != status.permissions { result.lostAttributes.insert(.permissions) }
        result.contents = FileContents(
            bytes: bytes, identity: after.identity, mode: after.permissions, isStable: true)
        return try pathLeads(to: after, at: resolved) ? .done : .pathMoved
    }

    /// Returns the names of the extended attributes. The kernel removes some from a file that is written to, such as
    /// capabilities.
    private func attributeNames(of target: borrowing OpenFile<System>) -> Set<String> {
        let descriptor = target.descriptor
        let names = try? uninterrupted { () throws(ErrorNumber) in try calls.attributeNames(of: descriptor) }
        return Set(names ?? [])
    }

    /// Writes `bytes` over a version that a crash left incomplete.
    func writeInPlace(
        _ bytes: [UInt8], over torn: consuming FoundVersion<System>, at resolved: borrowing ResolvedPath<System>
    ) throws {
        let (status, old) = (torn.status, torn.bytes)
        _ = consume torn
        var lease = Replacement.Lease.held
        guard let target = try openTarget(status, holding: old, at: resolved, &lease) else {
            throw FileError(ErrorNumber(EAGAIN), path, .exchange)
        }
        try withFileError(path, .write) { () throws(ErrorNumber) in
            try target.write(bytes[...], at: 0)
            try target.setSize(bytes.count)
        }
        try synchronize(target)
    }

    /// Opens the file, with a write lease if possible; returns nil if it is no longer the version that was found.
    private func openTarget(
        _ status: FileStatus, holding old: [UInt8], at resolved: borrowing ResolvedPath<System>,
        _ lease: inout Replacement.Lease
    ) throws -> OpenFile<System>? {
        let directory = resolved.directory.descriptor
        var target: OpenFile<System>
        do throws(ErrorNumber) {
            target = try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(
                    resolved.name, in: directory, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                    permissions: 0)
            }
        } catch {
            switch error.rawValue {
            case EAGAIN, ENOENT: return nil
            case ELOOP: throw ReplacedBySymbolicLink()
            default: throw FileError(error, path, .write)
            }
        }
        lease = waitForWriteLease(on: &target)
        let current = try target.regularStatus(path, limit: max(limit, old.count))
        try resolved.requireSafeToOverwrite(current)
        guard current.isSameFile(as: status), try target.allBytes(current, path) == old else { return nil }
        return target
    }

    /// Takes a write lease. The limit is short, because a reader may keep the file open forever.
    private func waitForWriteLease(on target: inout OpenFile<System>) -> Replacement.Lease {
        var backoff = Backoff(limit: 100_000, longestPause: 5_000)
        while true {
            do throws(ErrorNumber) {
                try target.takeLease(.write)
                return .held
            } catch {
                guard error.rawValue == EAGAIN, let pause = backoff.nextPause() else {
                    return .unavailable(error.rawValue)
                }
                calls.pause(microseconds: pause)
            }
        }
    }

    /// Writes the part beyond the old end first: if no space is left, the old contents are still intact.
    private func write(
        _ bytes: [UInt8], over old: [UInt8], into target: borrowing OpenFile<System>,
        _ backup: borrowing BackupCopy<System>
    ) throws(FileError) {
        do throws(FileError) {
            try withFileError(path, .write) { () throws(ErrorNumber) in
                try target.write(bytes.dropFirst(old.count), at: old.count)
                try target.write(bytes.prefix(old.count), at: 0)
                if bytes.count < old.count { try target.setSize(bytes.count) }
            }
            try synchronize(target)
        } catch {
            // Restore the old contents. If that fails as well, the backup stays for the next replacement.
            if (try? restore(old, after: bytes, into: target)) != nil { backup.remove() }
            throw error
        }
    }

    private func restore(
        _ old: [UInt8], after bytes: [UInt8], into target: borrowing OpenFile<System>
    ) throws(FileError) {
        try withFileError(path, .write) { () throws(ErrorNumber) in
            if bytes.count > old.count { try target.setSize(old.count) }
            try target.write(old[...], at: 0)
        }
        try synchronize(target)
    }
}
