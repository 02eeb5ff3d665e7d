internal import Glibc

/// Recovery of the files that a replacement left because its process was killed or the power failed.
///
/// Under the directory lock, every temporary file belongs to such a replacement, because no other process is active.
extension ReplaceOperation {
    private enum CleanupResult {
        case removed
        /// The file was examined and stays.
        case kept
        /// The file stays because its quiet period is not over.
        case inQuietPeriod
        /// Another process interfered.
        case retry
    }

    private static var maximumRounds: Int { 10 }

    mutating func recoverLeftovers(at resolved: borrowing ResolvedPath<System>) throws {
        if resolved.isListable {
            for _ in 0..<Self.maximumRounds {
                displacedFiles.removeAll(where: \.isLeftover)
                let needsRetry = try recoverOnce(at: resolved)
                if !needsRetry { break }
            }
        }
        try recoverBackups(at: resolved)
    }

    /// Examines all leftovers once; returns whether that has to be repeated.
    private mutating func recoverOnce(at resolved: borrowing ResolvedPath<System>) throws -> Bool {
        (temporaryNames, result.leftovers) = (try findTemporaryNames(at: resolved), [])
        for name in temporaryNames {
            guard let parsed = TemporaryName(name, for: resolved.name) else { continue }
            // Without the lock, other processes may be active. Backup copies have a lock of their own.
            guard
                result.lock == .held || parsed.kind.isBackup || DisplacedVersionCache.contains(resolved.path(of: name))
            else {
                continue
            }
            switch try recover(name, as: parsed, at: resolved) {
            case .removed: temporaryNames.removeAll { $0 == name }
            case .inQuietPeriod: break
            case .kept:
                if !displacedFiles.contains(where: { $0.temporaryName == name }) { addLeftover(name, at: resolved) }
            case .retry: return true
            }
        }
        return false
    }

    /// Returns the temporary names of all files in the directory.
    private func findTemporaryNames(at resolved: borrowing ResolvedPath<System>) throws(FileError) -> [String] {
        let directory = resolved.directory.descriptor
        let status = try withFileError(path, .status) { () throws(ErrorNumber) in try calls.status(of: directory) }
        if let known = DirectoryScanCache.temporaryNames(in: status) { return known }
        let names = try withFileError(path, .list) { () throws(ErrorNumber) in
            try calls.names(in: directory, beginningWith: ".")
        }
        return names.filter(TemporaryName.isTemporaryName)
    }

    private mutating func recover(
        _ name: String, as parsed: TemporaryName, at resolved: borrowing ResolvedPath<System>
    ) throws -> CleanupResult {
        if case .new = parsed.kind { return removeTemporary(name, at: resolved) }
        guard let status = try status(of: name, at: resolved), try isTrusted(status, name, at: resolved) else {
            return .kept
        }
        if parsed.kind.isDisplaced, try isTooRecent(name, at: resolved) { return .inQuietPeriod }
        guard var leftover = try openLeftover(name, parsed, at: resolved),
            try isTrusted(leftover.status, name, at: resolved)
        else {
            return .kept
        }
        switch parsed.kind {
        case .new: return removeTemporary(name, at: resolved)
        case .swap(let new, let expected): return try recoverSwap(name, new, expected, leftover, at: resolved)
        case .displaced(let version):
            if leftover.lease == .writerDidNotClose { return .kept }
            if !leftover.lease.detectsOpens { return checkQuietPeriod(name, version, &leftover, at: resolved) }
            if version == leftover.version { return removeTemporary(name, at: resolved) }
            return queueForMerge(
                leftover.bytes, of: DisplacedVersionCache.bytes(of: resolved.path(of: name)), under: name, at: resolved)
        case .backup(let old, let new):
            guard isAbandoned(&leftover) else { return .kept }
            switch try repair(BackupContents(leftover.bytes, old, new), at: resolved) {
            case .obsolete: return removeTemporary(name, at: resolved)
            case .needed(let versions): return queueForMerge(versions.new, of: versions.old, under: name, at: resolved)
            }
        }
    }

    /// Opens a leftover; returns nil if it is not one of ours or cannot be read now. An unreadable backup copy is an
    /// error, because it may be the only complete version of the file.
    private func openLeftover(
        _ name: String, _ parsed: TemporaryName, at resolved: borrowing ResolvedPath<System>
    ) throws -> FoundVersion<System>? {
        do {
            return try FoundVersion.open(
                name, at: resolved, limit: parsed.kind.sizeLimit(fileLimit: limit),
                waitsForWriters: parsed.kind.waitsForWriters)
        } catch let error as FileError {
            switch error.code {
            case .permission where parsed.kind.isBackup: throw error
            case .permission, .directory, .notRegular, .tooLarge, .loop, .busy, .untrusted: return nil
            default: throw error
            }
        } catch is ReplacedBySymbolicLink {
            return nil
        }
    }

    /// Returns whether the file belongs to another user and was displaced less than the quiet period ago. A write
    /// changes mtime and ctime, linking a name only ctime.
    private mutating func isTooRecent(_ name: String, at resolved: borrowing ResolvedPath<System>) throws -> Bool {
        guard let leftover = try status(of: name, at: resolved), calls.user != 0, leftover.user != calls.user,
            leftover.identity.modified < leftover.identity.changed, let time = remainingQuietPeriod(leftover)
        else { return false }
        result.recheckDelay = max(result.recheckDelay ?? 0, time)
        return true
    }

    /// Handles a displaced version without a lease.
    private mutating func checkQuietPeriod(
        _ name: String, _ version: TemporaryName.VersionID, _ leftover: inout FoundVersion<System>,
        at resolved: borrowing ResolvedPath<System>
    ) -> CleanupResult {
        // The version was not displaced: the crash came before the exchange.
        if (try? status(of: resolved.name, at: resolved))?.isSameFile(as: leftover.status) == true {
            return removeTemporary(name, at: resolved)
        }
        if let time = remainingQuietPeriod(leftover.status) {
            result.recheckDelay = max(result.recheckDelay ?? 0, time)
            // A process keeps writing to it.
            if version != leftover.version { addLeftover(name, at: resolved) }
            return .inQuietPeriod
        }
        if version == leftover.version {
            // Our own descriptor would count as an open file.
            leftover.file.close()
            return removeIfUnchanged(name, leftover.status, at: resolved) ? .removed : .inQuietPeriod
        }
        addDisplaced(
            leftover.bytes, basedOn: DisplacedVersionCache.bytes(of: resolved.path(of: name)),
            .quiet(name, leftover.status),
            isLeftover: true, at: resolved)
        return .kept
    }

    private mutating func recoverSwap(
        _ name: String, _ new: TemporaryName.VersionID, _ expected: TemporaryName.VersionID,
        _ leftover: borrowing FoundVersion<System>,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> CleanupResult {
        // The process that has the file open may still write to it. Renamed, the file is not waited for again.
        if leftover.lease == .writerDidNotClose {
            let known = leftover.status.identity.inode == new.inode ? new : expected
            addLeftover(try renameAsDisplaced(name, known, at: resolved), at: resolved)
            return .kept
        }
        if leftover.version == expected, !leftover.lease.detectsOpens {
            keepForQuietPeriod(
                try renameAsDisplaced(name, expected, at: resolved), holding: leftover.bytes, at: resolved)
            return .inQuietPeriod
        }
        // The file is the new version before the exchange, or the unchanged old version after it.
        if [new, expected].contains(leftover.version) { return removeTemporary(name, at: resolved) }
        // The power failed before the contents reached the disk.
        if leftover.status.identity.inode == new.inode, leftover.bytes.allSatisfy({ $0 == 0 }) {
            return removeTemporary(name, at: resolved)
        }
        return try restoreDisplaced(name, new, displacedBy: leftover, at: resolved)
    }

    private mutating func addLeftover(_ name: String, at resolved: borrowing ResolvedPath<System>) {
        let path = resolved.path(of: name)
        if !result.leftovers.contains(path) { result.leftovers.append(path) }
    }

    private func removeTemporary(_ name: String, at resolved: borrowing ResolvedPath<System>) -> CleanupResult {
        removeTemporaryFile(name, in: resolved.directory.descriptor, calls) ? .removed : .kept
    }

    /// Returns whether the file can be a leftover of a replacement, rather than planted by another user.
    ///
    /// A privileged process trusts no file that others could have created. For other processes, a file that a member of
    /// a group left in the group's directory is as trustworthy as the file itself, which that member can write to, too.
    func isTrusted(
        _ leftover: FileStatus, _ name: String, at resolved: borrowing ResolvedPath<System>
    ) throws -> Bool {
        guard leftover.kind == .regular else { return false }
        let directory = try withFileError(path, .status) { () throws(ErrorNumber) in try resolved.directory.status() }
        if trust.protects(directory) { return true }
        guard leftover.linkCount == 1 else { return false }
        if trust.trusts(leftover.user) { return true }
        if trust.isPrivileged { return false }
        if directory.permissions & S_IWOTH == 0 || DisplacedVersionCache.contains(resolved.path(of: name)) {
            return true
        }
        return try status(of: resolved.name, at: resolved)?.user == leftover.user
    }

    /// Restores another writer's edit that our version displaced. If our version is still in place unchanged, its
    /// replacement never returned to its caller, so the edit takes the place again; otherwise it is merged.
    private mutating func restoreDisplaced(
        _ name: String, _ new: TemporaryName.VersionID, displacedBy leftover: borrowing FoundVersion<System>,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> CleanupResult {
        // Through another hard link, the file may have been changed long after the exchange.
        guard leftover.status.linkCount == 1,
            let current = try FoundVersion.open(resolved.name, at: resolved, limit: limit), current.version == new,
            try withFileError(path, .lease, { () throws(ErrorNumber) in try current.isLeaseUnbroken() }),
            try status(of: resolved.name, at: resolved)?.isSameFile(as: current.status) == true,
            exchangeNames(name, at: resolved)
        else {
            return queueForMerge(leftover.bytes, of: nil, under: name, at: resolved)
        }
        // Another process renamed a file over ours just before the exchange. Exchange back: that file's writer expects
        // it in place for its next edit.
        if let displacedStatus = try status(of: name, at: resolved), !displacedStatus.isSameFile(as: current.status) {
            _ = exchangeNames(name, at: resolved)
        }
        return .retry
    }

    /// Exchanges the two names; returns false if that fails.
    private func exchangeNames(_ name: String, at resolved: borrowing ResolvedPath<System>) -> Bool {
        let directory = resolved.directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.exchange(name, resolved.name, in: directory) }
            return true
        } catch {
            return false
        }
    }

    private mutating func queueForMerge(
        _ bytes: [UInt8], of base: [UInt8]?, under name: String, at resolved: borrowing ResolvedPath<System>
    ) -> CleanupResult {
        addDisplaced(bytes, basedOn: base, .temporary(name), isLeftover: true, at: resolved)
        return .kept
    }

    /// Records the leftovers, so that the directory is not searched again until another process changes it.
    func cacheScan(of resolved: borrowing ResolvedPath<System>) {
        let directory = resolved.directory.descriptor
        guard let status = try? calls.status(of: directory) else { return }
        if result.lock == .held, calls.hasExactTimes(directory) {
            DirectoryScanCache.remember(temporaryNames, in: status)
        } else {
            DirectoryScanCache.forget(status)
        }
    }
}
