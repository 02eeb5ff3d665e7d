internal import CLinux
internal import Glibc

/// The size and the times of a file.
package struct FileUse: Sendable {
    package enum Kind: Sendable { case used, changed }

    package let name: String
    /// The size in bytes.
    package let size: Int
    /// The time since the last change.
    package let age: Duration
    /// The last recorded use, or the last change.
    package let used: FileTime
}

// Files whose names no other program uses. The directory is opened for each call, so that links in its path count as they
// do for files; a link in place of a file is not followed.
extension Directory {
    /// Adds a file with a new name. It has the name once it is complete, so that a crash leaves no part of it.
    package func add(_ name: String, _ bytes: [UInt8], isDurable: Bool) throws(FileError) {
        let directory = try requireOpen()
        let file = "\(path)/\(name)"
        do {
            let specification = NewVersionSpecification(
                path: file, bytes: bytes, permissions: 0o600, isDurable: isDurable, isNamed: false)
            var lost: Set<Replacement.Attribute> = []
            var version = try NewVersion.prepare(specification, for: name, in: directory, lost: &lost)
            try version.setName(name, in: directory, file)
            version.name.keep()
        } catch let error as FileError {
            throw error
        } catch let error as DirectoryNotModifiable {
            throw FileError(error.reason, file, error.operation)
        } catch {
            // Only without /proc, and on a kernel older than Linux 6.10.
            throw FileError(ErrorNumber(EOPNOTSUPP), file, .create)
        }
        if isDurable { try synchronize(directory) }
    }

    /// Reads a file; nil if there is none.
    ///
    /// - Parameter use: Whether the time of the last use, and also that of the last change, becomes the present.
    package func read(_ name: String, limit: Int, recording use: FileUse.Kind? = nil) throws(FileError) -> FileContents?
    {
        guard let directory = try open() else { return nil }
        let (file, descriptor) = ("\(path)/\(name)", directory.descriptor)
        do throws(ErrorNumber) {
            let opened = try OpenFile(Kernel.shared) { (calls) throws(ErrorNumber) in
                try calls.open(
                    name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, permissions: 0)
            }
            let status = try opened.status()
            guard status.kind == .regular else { throw ErrorNumber(ELOOP) }
            if status.identity.size > limit { throw ErrorNumber(EFBIG) }
            let bytes = try opened.bytes(count: Int(status.identity.size))
            // Fails in a directory that is read-only, where nothing is removed either.
            if let use { _ = clinux_times_update(opened.descriptor, use == .changed ? 1 : 0) }
            return FileContents(bytes: bytes, identity: status.identity, mode: status.permissions, isStable: true)
        } catch {
            if error.rawValue == ENOENT { return nil }
            throw FileError(error, file, .read)
        }
    }

    /// Removes files. One that does not exist is as good as removed.
    package func removeFiles(_ names: [String], isDurable: Bool) throws(FileError) {
        guard let directory = try open() else { return }
        for name in names {
            do throws(ErrorNumber) { try Kernel.shared.remove(name, in: directory.descriptor) } catch {
                if error.rawValue != ENOENT { throw FileError(error, "\(path)/\(name)", .remove) }
            }
        }
        if isDurable { try synchronize(directory) }
    }

    /// Sizes and times of the files with these names, without those that do not exist.
    package func uses(of names: some Sequence<String>) throws(FileError) -> [FileUse] {
        guard let directory = try open() else { return [] }
        let now = Kernel.shared.now
        return names.compactMap { name in
            var status = stat()
            guard fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            let changed = FileTime(status.st_mtim)
            return FileUse(
                name: name, size: Int(status.st_size), age: .microseconds(now.microseconds(since: changed)),
                used: max(changed, FileTime(status.st_atim)))
        }
    }

    private func requireOpen() throws(FileError) -> OpenFile<Kernel> {
        guard let directory = try open() else { throw FileError(ErrorNumber(ENOENT), path, .open) }
        return directory
    }

    private func synchronize(_ directory: borrowing OpenFile<Kernel>) throws(FileError) {
        let descriptor = directory.descriptor
        try withFileError(path, .synchronize) { () throws(ErrorNumber) in
            try uninterrupted { () throws(ErrorNumber) in try Kernel.shared.synchronize(descriptor) }
        }
    }
}
