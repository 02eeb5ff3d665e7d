internal import Glibc

/// A copy of the old and the new contents of a file, kept while the file is overwritten in place.
///
/// The copy exists until it is removed: if the process ends early, the next replacement finds it. It is locked
/// meanwhile, which shows that its process is alive, also if the directory of the file cannot be locked.
struct BackupCopy<System: FileCalls>: ~Copyable {
    private let calls: System
    private let copy: OpenFile<System>
    private let name: String
    private let directory: Int32
    /// The path of the copy, for messages.
    let path: String
    /// Keeps the backup directory open; nil if the copy is in the directory of the file.
    private let separateDirectory: OpenFile<System>?

    /// Creates a copy in the directory of the file.
    init(_ specification: NewVersionSpecification, _ name: String, beside resolved: borrowing ResolvedPath<System>)
        throws
    {
        copy = try BackupCopy.write(specification, name, in: resolved.directory, named: resolved.name)
        (calls, self.name, directory) = (resolved.calls, name, resolved.directory.descriptor)
        path = resolved.path(of: name)
        separateDirectory = nil
    }

    init(
        _ specification: NewVersionSpecification, _ name: String, in separateDirectory: consuming OpenFile<System>,
        at directoryPath: String
    ) throws {
        copy = try BackupCopy.write(specification, name, in: separateDirectory, named: "backup")
        (calls, self.name, directory) = (separateDirectory.calls, name, separateDirectory.descriptor)
        path = "\(directoryPath)/\(name)"
        self.separateDirectory = consume separateDirectory
    }

    private static func write(
        _ specification: NewVersionSpecification, _ name: String, in directory: borrowing OpenFile<System>,
        named file: String
    ) throws -> OpenFile<System> {
        var lost: Set<Replacement.Attribute> = []
        var copy = try NewVersion.prepare(specification, for: file, in: directory, lost: &lost)
        // Without file locks, the lock of the directory has to suffice.
        do throws(ErrorNumber) { try copy.file.lock() } catch {}
        try copy.setName(name, in: directory, specification.path)
        if specification.isDurable {
            let (calls, descriptor) = (directory.calls, directory.descriptor)
            try withFileError(specification.path, .synchronize) { () throws(ErrorNumber) in
                try calls.synchronize(descriptor)
            }
        }
        copy.name.keep()
        return copy.file
    }

    /// Removes the copy; returns false if it stays. That is harmless, since the next replacement recognizes it as
    /// obsolete.
    @discardableResult
    func remove() -> Bool { removeTemporaryFile(name, in: directory, calls) }
}

/// The directory for backup copies of files whose own directory takes none.
struct BackupDirectory<System: FileCalls> {
    let path: String?
    private let trust: PathTrust
    private let calls: System

    private static var flags: Int32 { O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC }

    init(_ path: String?, trust: PathTrust, calls: System) {
        (self.path, self.trust, self.calls) = (path ?? Self.standardPath, trust, calls)
    }

    private static var standardPath: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let system = variable("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
        let state = system ?? variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
        return state.map { "\($0)/durable-files" }
    }

    /// The name that stands for the file in the names of its copies. It is the same whatever the working directory is.
    func name(for resolved: borrowing ResolvedPath<System>) -> String {
        let link = "/proc/self/fd/\(resolved.directory.descriptor)"
        let directory = try? uninterrupted { () throws(ErrorNumber) in try calls.target(of: link, in: AT_FDCWD) }
        let digest = Digest(
            (directory ?? Array(resolved.directoryPath.utf8)) + [UInt8(ascii: "/")] + Array(resolved.name.utf8))
        return "backup-\(String(digest.value, radix: 16))"
    }

    /// Opens the directory; returns nil if there is none, or if other users can write to it.
    func open(_ path: String, for resolved: borrowing ResolvedPath<System>) throws(FileError) -> ResolvedPath<System>? {
        guard let directory = try open(path) else { return nil }
        return ResolvedPath(
            path: path, directory: directory, name: name(for: resolved), directoryPath: "\(self.path ?? "")/",
            calls: calls,
            isListable: true, trust: trust, lookup: nil)
    }

    /// Opens the directory, creating it if necessary.
    func create(_ path: String) throws(FileError) -> OpenFile<System>? {
        guard let own = self.path else { return nil }
        if let directory = try open(path) { return directory }
        do throws(FileError) {
            _ = try ResolvedPath.resolve("\(own)/copy", createsDirectories: true, trust: trust, calls: calls)
        } catch {
            return nil
        }
        // An existing directory that is not trusted is rejected here, as it would be during recovery.
        return try open(path)
    }

    private func open(_ path: String) throws(FileError) -> OpenFile<System>? {
        guard let own = self.path else { return nil }
        let directory: OpenFile<System>
        do throws(ErrorNumber) {
            directory = try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(own, in: AT_FDCWD, Self.flags, permissions: 0)
            }
        } catch {
            switch error.rawValue {
            case EMFILE, ENFILE, ENOMEM: throw FileError(error, path, .open)
            // The directory is missing, belongs to another user, or is on a failed file system. That is no reason to
            // reject files elsewhere; copies in it are found when it is accessible again.
            default: return nil
            }
        }
        let status = try withFileError(path, .status) { () throws(ErrorNumber) in try directory.status() }
        guard status.user == calls.user, status.permissions & 0o022 == 0 else { return nil }
        guard try pathLeads(own, to: status, path) else { return nil }
        return directory
    }

    /// Returns whether a privileged process can trust the path to the directory.
    private func pathLeads(_ own: String, to status: FileStatus, _ path: String) throws(FileError) -> Bool {
        if !trust.isPrivileged { return true }
        do throws(FileError) {
            let resolved = try ResolvedPath.resolve(
                "\(own)/copy", createsDirectories: false, trust: trust, calls: calls)
            let current = try withFileError(path, .status) { () throws(ErrorNumber) in try resolved.directory.status() }
            return current.isSameFile(as: status)
        } catch {
            switch error.code {
            case .system: throw FileError(.system, path, error.operation, errorNumber: error.errorNumber)
            default: return false
            }
        }
    }
}

/// The old and the new contents stored in a backup copy.
struct BackupContents {
    let old: [UInt8]
    let new: [UInt8]

    /// Splits the contents of a copy; returns nil unless they consist of both versions one after the other.
    init?(_ both: [UInt8], _ old: TemporaryName.VersionID, _ new: TemporaryName.VersionID) {
        guard old.inode <= both.count, new.inode == UInt64(both.count) - old.inode else { return nil }
        self.old = Array(both.prefix(Int(old.inode)))
        self.new = Array(both.dropFirst(Int(old.inode)))
        guard Digest(self.old) == old.digest, Digest(self.new) == new.digest else { return nil }
    }

    /// Returns whether `bytes` can be the result of an interrupted overwrite of the old contents with the new ones:
    /// every byte is one of either version, or 0 where the file had grown and the data had not reached the disk.
    func couldProduce(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= min(old.count, new.count), bytes.count <= max(old.count, new.count) else { return false }
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if index < old.count, byte == old[index] { return true }
            if index < new.count, byte == new[index] { return true }
            return index >= old.count && byte == 0
        }
    }
}
