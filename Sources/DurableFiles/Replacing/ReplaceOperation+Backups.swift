internal import Glibc

/// Backup copies, which protect a file that is overwritten in place against a crash.
extension ReplaceOperation {
    func writeBackup(
        _ old: [UInt8], _ new: [UInt8], of target: borrowing OpenFile<System>, _ status: FileStatus,
        at resolved: borrowing ResolvedPath<System>
    ) throws -> BackupCopy<System> {
        func version(_ bytes: [UInt8]) -> TemporaryName.VersionID {
            TemporaryName.VersionID(inode: UInt64(bytes.count), digest: Digest(bytes))
        }
        let temporaryName = TemporaryName(.backup(old: version(old), new: version(new)))
        // Everyone who may read the file may repair it from the copy. In a directory that untrusted users can change, a
        // privileged process would not trust a shared copy, so it creates the copy for itself only.
        let owner = NewVersionSpecification.AttributeSource(descriptor: target.descriptor, status: status)
        let shared = specification(old + new, permissions: 0o600, resolved.isWritableByOthers ? nil : owner)
        let place = SplitPath.name(ofDirectory: resolved.directoryPath)
        var failure = FileError(ErrorNumber(resolved.isListable ? EPERM : EACCES), path, .create, directory: place)
        // In an append-only directory the copy could not be removed, and in an unreadable one it would not be found.
        if resolved.isListable, !calls.isAppendOnly(resolved.directory.descriptor) {
            do {
                return try BackupCopy(shared, temporaryName.name(for: resolved.name), beside: resolved)
            } catch let error as DirectoryNotModifiable {
                failure = FileError(error.reason, path, error.operation, directory: place)
            }
        }
        let directory = BackupDirectory(options.backupDirectory, trust: trust, calls: calls)
        do {
            if let backups = try directory.create(path) {
                var copy = specification(old + new, permissions: 0o600)
                copy.path = "\(directory.path ?? "")/copy"
                return try BackupCopy(
                    copy, temporaryName.name(for: directory.name(for: resolved)), in: backups,
                    at: directory.path ?? "")
            }
        } catch is DirectoryNotModifiable {}
        // Report the directory of the file, because its permissions can be fixed.
        throw failure
    }
}

extension ReplaceOperation {
    /// Whether a backup copy is still needed.
    enum BackupState {
        case obsolete
        case needed(BackupContents)
    }

    /// Repairs a file after an interrupted overwrite. If it holds a mixture of both versions, the new one is written
    /// again. If it holds anything else, another program has changed it, and the caller has to merge.
    mutating func repair(_ versions: BackupContents?, at resolved: borrowing ResolvedPath<System>) throws -> BackupState
    {
        // The copy is incomplete, so the overwrite had not begun.
        guard let versions else { return .obsolete }
        guard let current = try FoundVersion.open(resolved.name, at: resolved, limit: limit) else {
            return .needed(versions)
        }
        if [versions.old, versions.new].contains(current.bytes) {
            // The contents must be on disk before the copy is removed.
            try synchronize(current.file)
            return .obsolete
        }
        guard versions.couldProduce(current.bytes) else { return .needed(versions) }
        try writeInPlace(versions.new, over: current, at: resolved)
        return .obsolete
    }

    /// Returns whether the process that made the copy has ended. A live process keeps it locked.
    mutating func isAbandoned(_ copy: inout FoundVersion<System>) -> Bool {
        switch acquireLock(on: &copy.file) {
        case .held: true
        case .timedOut: false
        case .unavailable: result.lock == .held
        }
    }

    /// Recovers the copies in the backup directory.
    mutating func recoverBackups(at resolved: borrowing ResolvedPath<System>) throws {
        let directory = BackupDirectory(options.backupDirectory, trust: trust, calls: calls)
        guard let backups = try directory.open(path, for: resolved) else { return }
        let descriptor = backups.directory.descriptor
        let names = try withFileError(path, .list) { () throws(ErrorNumber) in
            try calls.names(in: descriptor, beginningWith: TemporaryName.prefix(for: backups.name))
        }
        for name in names {
            guard case .backup(let old, let new)? = TemporaryName(name, for: backups.name)?.kind else {
                if result.lock == .held { remove(name, at: backups) }
                continue
            }
            let sizeLimit = TemporaryName(name, for: backups.name)!.kind.sizeLimit(fileLimit: limit)
            guard var leftover = try FoundVersion.open(name, at: backups, limit: sizeLimit),
                try isTrusted(leftover.status, name, at: backups), isAbandoned(&leftover)
            else { continue }
            switch try repair(BackupContents(leftover.bytes, old, new), at: resolved) {
            case .obsolete: remove(name, at: backups)
            case .needed(let versions):
                let path = backups.path(of: name)
                let edit = DisplacedEdit(base: versions.old, bytes: versions.new, path: path)
                displacedFiles.append(DisplacedFile(edit: edit, location: .backupDirectory(name), isLeftover: true))
            }
        }
    }

    /// Removes a copy from the backup directory after its edit was merged.
    mutating func removeBackup(_ name: String, at resolved: borrowing ResolvedPath<System>) {
        let directory = BackupDirectory(options.backupDirectory, trust: trust, calls: calls)
        guard let backups = try? directory.open(path, for: resolved) else { return }
        remove(name, at: backups)
    }
}
