internal import Glibc

/// Creating a file, and recording results.
extension ReplaceOperation {
    /// Creates the file. If two processes do so at once, one of them finds the name in use and retries.
    mutating func create(at resolved: borrowing ResolvedPath<System>) throws -> AttemptResult {
        marker?.found = nil
        guard let bytes = try requestBytes(for: foundFile(with: nil)) else { return leaveUnchanged(nil) }
        var lost: Set<Replacement.Attribute> = []
        var new: NewVersion<System>
        do {
            new = try NewVersion.prepare(
                specification(bytes, permissions: options.newFilePermissions, lastStatus: lastStatus),
                for: resolved.name,
                in: resolved.directory, lost: &lost)
        } catch let error as DirectoryNotModifiable {
            throw FileError(
                error.reason, path, error.operation, directory: SplitPath.name(ofDirectory: resolved.directoryPath))
        }
        guard try new.publish(as: resolved.name, in: resolved.directory, path) else { return .retry }
        let problem = synchronizeDirectory(at: resolved)
        recordWritten(bytes, isDurable: problem == nil, at: resolved)
        if let problem { throw problem }
        result.lease = .noFile
        result.lostAttributes.formUnion(lost)
        try recordResult(of: new, replacing: nil)
        return try pathLeads(to: new.status, at: resolved) ? .done : .pathMoved
    }

    /// Finishes without writing, as the caller requested.
    mutating func leaveUnchanged(_ contents: FileContents?) -> AttemptResult {
        result.contents = contents
        leaveDisplaced()
        return .done
    }

    /// Finishes without writing, because the file already holds the bytes. They are synchronized all the same, since
    /// their writer may not have done that.
    mutating func keepCurrent(_ found: borrowing FoundVersion<System>, at resolved: borrowing ResolvedPath<System>)
        throws
        -> AttemptResult
    {
        try synchronize(found.file)
        if let problem = synchronizeDirectory(at: resolved) { throw problem }
        result.contents = found.contents
        removeMerged(at: resolved)
        return try pathLeads(to: found.status, at: resolved) ? .done : .pathMoved
    }

    /// Records that the file has held `bytes`, and with them all displaced edits.
    mutating func recordWritten(_ bytes: [UInt8], isDurable: Bool, at resolved: borrowing ResolvedPath<System>) {
        written = bytes
        if isDurable { removeMerged(at: resolved) }
    }
}

// Calls shared by several steps.
extension ReplaceOperation {
    /// Waits for the lock. Continues without it on failure, because the exchange still detects concurrent edits.
    mutating func acquireLock(on directory: inout OpenFile<System>) -> Replacement.Lock {
        while true {
            do throws(ErrorNumber) {
                try directory.lock()
                return .held
            } catch {
                guard error.rawValue == EAGAIN else { return .unavailable(error.rawValue) }
                guard let pause = lockBackoff.nextPause() else { return .timedOut }
                calls.pause(microseconds: pause)
            }
        }
    }

    /// Returns the status of a name in the directory; nil if it does not exist.
    func status(of name: String, at resolved: borrowing ResolvedPath<System>) throws(FileError) -> FileStatus? {
        let directory = resolved.directory.descriptor
        return try existing { () throws(ErrorNumber) in try calls.status(of: name, in: directory) }
    }

    /// Returns the status of the file that a path leads to; nil if there is none.
    func status(at path: String) throws(FileError) -> FileStatus? {
        try existing { () throws(ErrorNumber) in try calls.status(at: path) }
    }

    private func existing(
        _ call: () throws(ErrorNumber) -> FileStatus
    ) throws(FileError) -> FileStatus? {
        do throws(ErrorNumber) {
            return try uninterrupted(call)
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.rawValue) { return nil }
            throw FileError(error, path, .status)
        }
    }

    /// Removes a temporary file. One that cannot be removed is reported, and found again by the next replacement.
    mutating func remove(_ name: String, at resolved: borrowing ResolvedPath<System>) {
        if removeTemporaryFile(name, in: resolved.directory.descriptor, calls) {
            temporaryNames.removeAll { $0 == name }
        } else {
            result.leftovers.append(resolved.path(of: name))
        }
    }

    /// Throws if the file is write-protected, although its directory would permit the replacement.
    func requireWritable(at resolved: borrowing ResolvedPath<System>) throws(FileError) {
        let directory = resolved.directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.requireWritable(resolved.name, in: directory) }
        } catch {
            // ENOENT: the file was deleted, which the next step detects. EPERM or ENOSYS: container runtimes from
            // before 2020 do not allow the call.
            if ![ENOENT, EPERM, ENOSYS].contains(error.rawValue) { throw FileError(error, path, .write) }
        }
    }

    /// Waits until the contents are on disk. On a read-only file system, they are.
    func synchronize(_ file: borrowing OpenFile<System>) throws(FileError) {
        guard options.durability == .durable else { return }
        do throws(ErrorNumber) {
            try file.synchronizeData()
        } catch {
            if ![EINVAL, EROFS].contains(error.rawValue) { throw FileError(error, path, .synchronize) }
        }
    }

    func mustKeepLinks(_ status: FileStatus) -> Bool { options.hardLinks == .keep && status.linkCount > 1 }
}
