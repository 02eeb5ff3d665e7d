internal import CLinux
internal import Glibc

/// The kind, the size and the times of an entry of a directory.
package struct EntryStatus: Sendable {
    package let name: String
    package let isDirectory: Bool
    /// The size in bytes.
    package let size: Int
    /// The time since the last change.
    package let age: Duration
    /// The time of the last access that was recorded, or of the last change.
    package let used: FileTime
}

/// The times of a file that are set to now.
package enum TimeUpdate: Sendable { case access, accessAndModification }

// Files whose names no other program uses. The directory is opened for each call, so that links in its path count as
// they do for files; a link in place of a file is not followed.
extension Directory {
    /// Writes a file that has no name yet.
    package func unnamedFile(_ bytes: [UInt8], isDurable: Bool) throws(FileError) -> UnnamedFile {
        try UnnamedFile(bytes, in: try requireOpen(), self, isDurable: isDurable)
    }

    /// Reads a file; nil if there is none.
    ///
    /// - Parameter count: How many bytes to read at most; all of them by default.
    package func read(_ name: String, limit: Int, first count: Int = .max) throws(FileError) -> FileContents? {
        try withFile(name) { (file, path) throws(FileError) in
            let status = try withFileError(path, .status) { () throws(ErrorNumber) in try file.status() }
            try status.requireRegular(path)
            let size = status.identity.size
            if size > limit { throw FileError(.tooLarge(size: size, limit: limit), path, .status) }
            let bytes = try withFileError(path, .read) { () throws(ErrorNumber) in
                try file.bytes(count: min(Int(size), count))
            }
            return FileContents(bytes: bytes, identity: status.identity, mode: status.permissions, isStable: true)
        }
    }

    /// Sets the access time of a file, and optionally its modification time, to now. Ignores errors: where files cannot
    /// be changed, none can be removed.
    package func setTimes(_ update: TimeUpdate, of name: String) {
        _ = try? withFile(name) { (file, _) throws(FileError) in
            clinux_times_update(file.descriptor, update == .accessAndModification ? 1 : 0)
        }
    }

    /// Opens a file for reading; nil if there is none.
    private func withFile<Result>(
        _ name: String, _ body: (borrowing OpenFile<Kernel>, _ path: String) throws(FileError) -> Result
    ) throws(FileError) -> Result? {
        guard let directory = try open() else { return nil }
        let descriptor = directory.descriptor
        let path = "\(path)/\(name)"
        let file: OpenFile<Kernel>
        do throws(ErrorNumber) {
            file = try OpenFile(Kernel.shared) { (calls) throws(ErrorNumber) in
                try calls.open(
                    name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, permissions: 0)
            }
        } catch {
            if error.rawValue == ENOENT { return nil }
            if error.rawValue == ELOOP { throw FileError(.notRegular(.link), path, .open, errorNumber: ELOOP) }
            // A socket, or a device that does not exist.
            if error.rawValue == ENXIO, case .special(let kind)? = (try? Kernel.shared.status(at: path))?.kind {
                throw FileError(.notRegular(kind), path, .open, errorNumber: ENXIO)
            }
            throw FileError(error, path, .open)
        }
        return try body(file, path)
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

    /// The statuses of the entries with these names, without those that do not exist.
    package func statuses(of names: some Sequence<String>) throws(FileError) -> [EntryStatus] {
        guard let directory = try open() else { return [] }
        let now = Kernel.shared.now
        return names.compactMap { name in
            var status = stat()
            guard fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            let changed = FileTime(status.st_mtim)
            return EntryStatus(
                name: name, isDirectory: status.st_mode & S_IFMT == S_IFDIR, size: Int(status.st_size),
                age: .microseconds(now.microseconds(since: changed)), used: max(changed, FileTime(status.st_atim)))
        }
    }

    /// The names of files that crashes have left where files cannot be created without a name.
    package func interruptedFiles() throws(FileError) -> [String] {
        let prefix = TemporaryName.prefix(for: UnnamedFile.temporaryName)
        return try names().filter { $0.hasPrefix(prefix) }
    }

    private func requireOpen() throws(FileError) -> OpenFile<Kernel> {
        guard let directory = try open() else { throw FileError(ErrorNumber(ENOENT), path, .open) }
        return directory
    }

    /// Waits until the entries of the directory are on the disk. Does nothing if it does not exist.
    package func synchronize() throws(FileError) {
        guard let directory = try open() else { return }
        try synchronize(directory)
    }

    func synchronize(_ directory: borrowing OpenFile<Kernel>) throws(FileError) {
        let descriptor = directory.descriptor
        try withFileError(path, .synchronize) { () throws(ErrorNumber) in
            try uninterrupted { () throws(ErrorNumber) in try Kernel.shared.synchronize(descriptor) }
        }
    }
}
