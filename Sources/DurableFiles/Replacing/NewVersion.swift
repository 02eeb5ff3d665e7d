internal import Glibc

/// Bytes in a file of their own, on the way to the place of another. Without a name where the file system has that, so
/// that a crash leaves nothing.
struct NewVersion<Calls: FileCalls>: ~Copyable {
    var file: OpenFile<Calls>
    var name: TemporaryName<Calls>
    let status: FileStatus
    let bytes: [UInt8]

    var version: Mark.Version { .inode(of: status, Digest(bytes)) }
}

/// A name that is removed when this is gone, unless it is to stay.
struct TemporaryName<Calls: FileCalls>: ~Copyable {
    private let calls: Calls
    private let folder: Int32
    private(set) var text: String?

    init(_ text: String?, in folder: Int32, calls: Calls) {
        (self.text, self.folder, self.calls) = (text, folder, calls)
    }

    deinit { remove() }

    mutating func removeNow() {
        remove()
        text = nil
    }

    private func remove() {
        if let text { removeMark(text, in: folder, calls) }
    }

    /// What has this name now is no longer ours to remove.
    mutating func letGo() { text = nil }

    mutating func replace(by newText: String) { text = newText }
}

/// What a new version is to be.
struct Blueprint {
    /// What has to be told of: the file whose new version it is.
    let path: String
    let bytes: [UInt8]
    /// Of a file that is not there yet.
    let permissions: UInt32
    let isDurable: Bool
    /// Whether it has a name from the beginning.
    let isNamed: Bool
    /// Of the version whose place it takes.
    var old: OldVersion?
    /// What is to lie with it.
    var note: SideNote?

    /// An open file, whose attributes the new one is to have.
    struct OldVersion {
        let descriptor: Int32
        let status: FileStatus
    }
}

/// What was created without a name cannot get one: there is no /proc, and the kernel is from before Linux 6.10.
struct NeedsName: Error {}

/// Names cannot be changed here, for the reason that the number says.
struct NamesAreFixed: Error {
    let reason: ErrorNumber
    let operation: FileError.Operation

    /// Nil for what has other reasons.
    init?(_ error: ErrorNumber, _ operation: FileError.Operation) {
        guard [EACCES, EPERM, EROFS, EBUSY, EXDEV].contains(error.rawValue) else { return nil }
        (reason, self.operation) = (error, operation)
    }
}

extension NewVersion {
    /// Writes the bytes beside the file with `name`, with all that belongs to the old version, and waits for the disk.
    ///
    /// Throws ``NamesAreFixed`` where the folder takes no file.
    static func prepare(
        _ blueprint: Blueprint, for name: String, in folder: borrowing OpenFile<Calls>,
        lost: inout Set<Replacement.Attribute>
    ) throws -> NewVersion {
        let calls = folder.calls
        if blueprint.bytes.count > calls.largestFile { throw FileError(ErrorNumber(EFBIG), blueprint.path, .write) }
        var temporary = TemporaryName(nil, in: folder.descriptor, calls: calls)
        let file = try create(blueprint, name, in: folder, &temporary)
        try tell(blueprint.path, .write) { () throws(ErrorNumber) in try file.write(blueprint.bytes[...], at: 0) }
        if let old = blueprint.old {
            lost = try Attributes(file, blueprint.path).copy(from: old, except: blueprint.note?.name)
        } else {
            try tell(blueprint.path, .copyAttributes) { () throws(ErrorNumber) in
                try calls.setPermissions(of: file.descriptor, to: blueprint.permissions)
            }
        }
        blueprint.note?.write(to: file)
        if blueprint.isDurable {
            try tell(blueprint.path, .synchronise) { () throws(ErrorNumber) in try file.synchroniseData() }
        }
        let status = try tell(blueprint.path, .look) { () throws(ErrorNumber) in try file.status() }
        return NewVersion(file: file, name: temporary, status: status, bytes: blueprint.bytes)
    }

    private static func create(
        _ blueprint: Blueprint, _ name: String, in folder: borrowing OpenFile<Calls>,
        _ temporary: inout TemporaryName<Calls>
    ) throws -> OpenFile<Calls> {
        let (path, descriptor) = (blueprint.path, folder.descriptor)
        if blueprint.isNamed { return try createNamed(path, name, in: folder, &temporary) }
        do throws(ErrorNumber) {
            return try OpenFile(folder.calls) { (calls) throws(ErrorNumber) in
                try calls.openUnnamed(in: descriptor)
            }
        } catch {
            // Kernels and file systems that do not know it take the flag for others.
            if ![EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.rawValue) {
                throw refusal(error, path)
            }
        }
        return try createNamed(path, name, in: folder, &temporary)
    }

    private static func createNamed(
        _ path: String, _ name: String, in folder: borrowing OpenFile<Calls>,
        _ temporary: inout TemporaryName<Calls>
    ) throws -> OpenFile<Calls> {
        let descriptor = folder.descriptor
        while true {
            let mark = Mark(.new).name(for: name)
            do throws(ErrorNumber) {
                let file = try OpenFile(folder.calls) { (calls) throws(ErrorNumber) in
                    try calls.open(
                        mark, in: descriptor, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions: 0o600)
                }
                temporary.replace(by: mark)
                return file
            } catch {
                // Four thousand million names are not all taken by chance.
                if error.rawValue != EEXIST { throw refusal(error, path) }
            }
        }
    }

    private static func refusal(_ error: ErrorNumber, _ path: String) -> any Error {
        NamesAreFixed(error, .create) ?? FileError(error, path, .create)
    }
}

extension NewVersion {
    /// Gives it the name `mark`, which is removed again unless it is let go.
    mutating func take(_ mark: String, in folder: borrowing OpenFile<Calls>, _ path: String) throws {
        let (calls, descriptor, own) = (folder.calls, folder.descriptor, file.descriptor)
        do throws(ErrorNumber) {
            if let old = name.text {
                try uninterrupted { () throws(ErrorNumber) in try calls.rename(old, to: mark, in: descriptor) }
            } else {
                try uninterrupted { () throws(ErrorNumber) in try calls.name(own, mark, in: descriptor) }
            }
        } catch {
            if name.text == nil, error.rawValue == ENOENT { throw NeedsName() }
            throw NamesAreFixed(error, .create) ?? FileError(error, path, .create)
        }
        name.replace(by: mark)
    }

    /// Gives it the name `free` for good; false when somebody else was faster.
    mutating func settle(as free: String, in folder: borrowing OpenFile<Calls>, _ path: String) throws -> Bool {
        let (calls, descriptor, own) = (folder.calls, folder.descriptor, file.descriptor)
        do throws(ErrorNumber) {
            if let old = name.text {
                try uninterrupted { () throws(ErrorNumber) in try calls.rename(old, toFree: free, in: descriptor) }
                name.letGo()
            } else {
                try uninterrupted { () throws(ErrorNumber) in try calls.name(own, free, in: descriptor) }
            }
            return true
        } catch {
            switch error.rawValue {
            case EEXIST: return false
            case ENOENT where name.text == nil: throw NeedsName()
            case EINVAL, ENOSYS, EOPNOTSUPP:
                return try settleByLink(as: free, in: folder, path)
            default: throw FileError(error, path, .create)
            }
        }
    }

    /// Where the file system cannot rename to free names only: a second name, and the first one is removed.
    private mutating func settleByLink(
        as free: String, in folder: borrowing OpenFile<Calls>, _ path: String
    ) throws(FileError) -> Bool {
        let (calls, descriptor) = (folder.calls, folder.descriptor)
        guard let old = name.text else { throw FileError(ErrorNumber(EINVAL), path, .create) }
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.link(old, to: free, in: descriptor) }
            // Before anybody asks when the file was changed.
            name.removeNow()
            return true
        } catch {
            if error.rawValue == EEXIST { return false }
            throw FileError(error, path, .create)
        }
    }
}

/// Makes a call until no signal interrupts it, and says of an error which file and which operation it befell.
func tell<Result: ~Copyable>(
    _ path: String, _ operation: FileError.Operation, _ call: () throws(ErrorNumber) -> Result
) throws(FileError) -> Result {
    do throws(ErrorNumber) {
        return try uninterrupted(call)
    } catch {
        throw FileError(error, path, operation)
    }
}
