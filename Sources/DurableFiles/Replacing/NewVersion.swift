internal import Glibc

/// A new version written to a file of its own. The file has no name if the file system supports that, so that a crash
/// leaves nothing.
struct NewVersion<System: FileCalls>: ~Copyable {
    var file: OpenFile<System>
    var name: ScopedName<System>
    let status: FileStatus
    let bytes: [UInt8]
}

/// The name of a file that is removed on deinit unless it is kept.
struct ScopedName<System: FileCalls>: ~Copyable {
    private let calls: System
    private let directory: Int32
    private(set) var text: String?

    init(_ text: String?, in directory: Int32, calls: System) {
        (self.text, self.directory, self.calls) = (text, directory, calls)
    }

    deinit { remove() }

    mutating func removeNow() {
        remove()
        text = nil
    }

    private func remove() {
        if let text { removeTemporaryFile(text, in: directory, calls) }
    }

    /// Cancels the removal, because the name belongs to another file now, or is to stay.
    mutating func keep() { text = nil }

    mutating func replace(by newText: String) { text = newText }
}

/// The contents and the metadata of a new version.
struct NewVersionSpecification {
    /// The path for errors: the file to be replaced, or a copy elsewhere.
    var path: String
    let bytes: [UInt8]
    /// The permissions of a file that does not exist yet.
    let permissions: UInt32
    let isDurable: Bool
    /// Whether the file is created with a name.
    let isNamed: Bool
    /// The version to copy the metadata from.
    var attributeSource: AttributeSource?
    /// The status of the deleted file that had the name before.
    var lastStatus: FileStatus?
    /// The marker to store with the version.
    var marker: WriteMarker?

    /// An open file whose metadata is copied.
    struct AttributeSource {
        let descriptor: Int32
        let status: FileStatus
    }
}

/// An unnamed file cannot be linked: /proc is not mounted, and the kernel is older than Linux 6.10.
struct UnnamedFileNotLinkable: Error {}

/// Names in the directory cannot be changed; `reason` is the `errno` value.
struct DirectoryNotModifiable: Error {
    let reason: ErrorNumber
    let operation: FileError.Operation

    /// Returns nil for errors with other causes.
    init?(_ error: ErrorNumber, _ operation: FileError.Operation) {
        guard [EACCES, EPERM, EROFS, EBUSY, EXDEV].contains(error.rawValue) else { return nil }
        (reason, self.operation) = (error, operation)
    }
}

extension NewVersion {
    /// Writes the bytes to a new file in the directory of `name`, copies the metadata, and waits for the disk.
    ///
    /// Throws ``DirectoryNotModifiable`` if no file can be created in the directory.
    static func prepare(
        _ specification: NewVersionSpecification, for name: String, in directory: borrowing OpenFile<System>,
        lost: inout Set<Replacement.Attribute>
    ) throws -> NewVersion {
        let calls = directory.calls
        if specification.bytes.count > calls.largestFile {
            throw FileError(ErrorNumber(EFBIG), specification.path, .write)
        }
        var temporary = ScopedName(nil, in: directory.descriptor, calls: calls)
        let file = try create(specification, name, in: directory, &temporary)
        try withFileError(specification.path, .write) { () throws(ErrorNumber) in
            try file.write(specification.bytes[...], at: 0)
        }
        if let old = specification.attributeSource {
            lost = try AttributeCopier(file, specification.path).copy(from: old, except: specification.marker?.name)
        } else if let lastStatus = specification.lastStatus {
            lost = try AttributeCopier(file, specification.path).restore(lastStatus)
        } else {
            try withFileError(specification.path, .copyAttributes) { () throws(ErrorNumber) in
                try calls.setPermissions(of: file.descriptor, to: specification.permissions)
            }
        }
        specification.marker?.write(to: file)
        if specification.isDurable {
            try withFileError(specification.path, .synchronize) { () throws(ErrorNumber) in try file.synchronizeData() }
        }
        let status = try withFileError(specification.path, .status) { () throws(ErrorNumber) in try file.status() }
        return NewVersion(file: file, name: temporary, status: status, bytes: specification.bytes)
    }

    private static func create(
        _ specification: NewVersionSpecification, _ name: String, in directory: borrowing OpenFile<System>,
        _ temporary: inout ScopedName<System>
    ) throws -> OpenFile<System> {
        let (path, descriptor) = (specification.path, directory.descriptor)
        if specification.isNamed { return try createWithName(path, name, in: directory, &temporary) }
        do throws(ErrorNumber) {
            return try OpenFile(directory.calls) { (calls) throws(ErrorNumber) in
                try calls.openUnnamed(in: descriptor)
            }
        } catch {
            // Kernels and file systems without O_TMPFILE interpret the flag as other flags.
            if ![EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.rawValue) {
                throw creationError(error, path)
            }
        }
        return try createWithName(path, name, in: directory, &temporary)
    }

    private static func createWithName(
        _ path: String, _ name: String, in directory: borrowing OpenFile<System>,
        _ temporary: inout ScopedName<System>
    ) throws -> OpenFile<System> {
        let descriptor = directory.descriptor
        while true {
            let temporaryName = TemporaryName(.new).name(for: name)
            do throws(ErrorNumber) {
                let file = try OpenFile(directory.calls) { (calls) throws(ErrorNumber) in
                    try calls.open(
                        temporaryName, in: descriptor, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        permissions: 0o600)
                }
                temporary.replace(by: temporaryName)
                return file
            } catch {
                // A collision of the random numbers does not repeat.
                if error.rawValue != EEXIST { throw creationError(error, path) }
            }
        }
    }

    private static func creationError(_ error: ErrorNumber, _ path: String) -> any Error {
        DirectoryNotModifiable(error, .create) ?? FileError(error, path, .create)
    }
}

extension NewVersion {
    /// Gives the file a temporary name, which is removed on deinit unless it is kept.
    mutating func setName(_ temporaryName: String, in directory: borrowing OpenFile<System>, _ path: String) throws {
        let (calls, descriptor, own) = (directory.calls, directory.descriptor, file.descriptor)
        do throws(ErrorNumber) {
            if let old = name.text {
                try uninterrupted { () throws(ErrorNumber) in try calls.rename(old, to: temporaryName, in: descriptor) }
            } else {
                try uninterrupted { () throws(ErrorNumber) in try calls.name(own, temporaryName, in: descriptor) }
            }
        } catch {
            if name.text == nil, error.rawValue == ENOENT { throw UnnamedFileNotLinkable() }
            throw DirectoryNotModifiable(error, .create) ?? FileError(error, path, .create)
        }
        name.replace(by: temporaryName)
    }

    /// Gives the file its final name; returns false if the name is in use.
    mutating func publish(as free: String, in directory: borrowing OpenFile<System>, _ path: String) throws -> Bool {
        let (calls, descriptor, own) = (directory.calls, directory.descriptor, file.descriptor)
        do throws(ErrorNumber) {
            if let old = name.text {
                try uninterrupted { () throws(ErrorNumber) in try calls.rename(old, toUnused: free, in: descriptor) }
                name.keep()
            } else {
                try uninterrupted { () throws(ErrorNumber) in try calls.name(own, free, in: descriptor) }
            }
            return true
        } catch {
            switch error.rawValue {
            case EEXIST: return false
            case ENOENT where name.text == nil: throw UnnamedFileNotLinkable()
            case EINVAL, ENOSYS, EOPNOTSUPP:
                return try publishByLink(as: free, in: directory, path)
            default: throw FileError(error, path, .create)
            }
        }
    }

    /// Links the final name and removes the temporary one, for file systems without RENAME_NOREPLACE.
    private mutating func publishByLink(
        as free: String, in directory: borrowing OpenFile<System>, _ path: String
    ) throws(FileError) -> Bool {
        let (calls, descriptor) = (directory.calls, directory.descriptor)
        guard let old = name.text else { throw FileError(ErrorNumber(EINVAL), path, .create) }
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.link(old, to: free, in: descriptor) }
            // Removed before the change time of the file is read.
            name.removeNow()
            return true
        } catch {
            if error.rawValue == EEXIST { return false }
            throw FileError(error, path, .create)
        }
    }
}

/// Makes a call, repeats it while signals interrupt it, and adds the path and the operation to an error.
func withFileError<Result: ~Copyable>(
    _ path: String, _ operation: FileError.Operation, _ call: () throws(ErrorNumber) -> Result
) throws(FileError) -> Result {
    do throws(ErrorNumber) {
        return try uninterrupted(call)
    } catch {
        throw FileError(error, path, operation)
    }
}
