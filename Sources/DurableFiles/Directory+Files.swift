internal import CLinux
internal import Glibc

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
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
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
            return try opened.bytes(count: Int(status.identity.size))
        } catch {
            if error.rawValue == ENOENT { return nil }
            throw FileError(error, file, .read)
        }
    }

    /// Removes a file, and returns whether there was one.
    @discardableResult
    package func removeFile(_ name: String, isDurable: Bool) throws(FileError) -> Bool {
        guard let directory = try open() else { return false }
        do throws(ErrorNumber) { try Kernel.shared.remove(name, in: directory.descriptor) } catch {
            if error.rawValue == ENOENT { return false }
            throw FileError(error, "\(path)/\(name)", .remove)
        }
        if isDurable { try synchronize(directory) }
        return true
    }

    /// The time since a file was written; nil if there is none.
    package func age(of name: String) throws(FileError) -> Duration? {
        guard let directory = try open() else { return nil }
        guard let status = try? Kernel.shared.status(of: name, in: directory.descriptor) else { return nil }
        return .microseconds(Kernel.shared.now.microseconds(since: status.identity.modified))
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
