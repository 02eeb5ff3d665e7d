internal import Glibc

/// Where a path leads: a folder, open, and a name in it that is no symbolic link.
///
/// All that is done to names is done in that folder, wherever it is moved and whatever takes its path meanwhile.
struct Place<Calls: FileCalls>: ~Copyable {
    /// As the caller gave it.
    let path: String
    var folder: OpenFile<Calls>
    let name: String
    /// The path of the folder, with a slash at its end, or nothing for the working directory.
    let folderPath: String
    let calls: Calls
    /// A folder that may be written to but not listed has no lock and cannot be waited for.
    let isListable: Bool

    private static var mostLinks: Int { 40 }
}

extension Place {
    /// Follows the symbolic links at the end of the path, also where the last one leads to nothing yet.
    static func find(_ path: String, createsFolders: Bool, calls: Calls) throws(FileError) -> Place {
        var (rest, folderPath) = (path, "")
        var base: OpenFile<Calls>?
        for _ in 0..<mostLinks {
            let parts = try Parts(rest, of: path)
            folderPath = parts.folderPath(from: folderPath)
            var isListable = true
            let folder = try Opening(path: path, createsFolders: createsFolders, calls: calls)
                .open(parts.folder, from: base?.descriptor ?? AT_FDCWD, &isListable)
            guard let target = try target(of: parts.name, in: folder, path, calls) else {
                return Place(
                    path: path, folder: folder, name: parts.name, folderPath: folderPath, calls: calls,
                    isListable: isListable)
            }
            rest = target
            base = consume folder
        }
        throw FileError(ErrorNumber(ELOOP), path, .open)
    }

    /// Of a file in the same folder, for people.
    func path(of name: String) -> String { folderPath + name }

    /// What the symbolic link says; nil when the name is none.
    private static func target(
        of name: String, in folder: borrowing OpenFile<Calls>, _ path: String, _ calls: Calls
    ) throws(FileError) -> String? {
        let descriptor = folder.descriptor
        let bytes: [UInt8]
        do throws(ErrorNumber) {
            bytes = try uninterrupted { () throws(ErrorNumber) in try calls.target(of: name, in: descriptor) }
            try requireTrusted(name, in: folder)
        } catch {
            switch error.rawValue {
            case EINVAL, ENOENT: return nil
            case EXDEV: throw FileError(.untrustedLink, path, .open)
            default: throw FileError(error, path, .look)
            }
        }
        guard let target = String(validating: bytes, as: UTF8.self), !target.isEmpty else {
            throw FileError(.invalidPath, path, .open)
        }
        return target
    }

    /// A link in a folder that everybody may write to is followed only where it belongs to the owner of the folder or
    /// to the user of this process, as the kernel does where it follows links itself.
    private static func requireTrusted(
        _ name: String, in folder: borrowing OpenFile<Calls>
    ) throws(ErrorNumber) {
        let (descriptor, calls) = (folder.descriptor, folder.calls)
        let status = try folder.status()
        guard status.permissions & S_IWOTH != 0 else { return }
        let link = try uninterrupted { () throws(ErrorNumber) in try calls.status(of: name, in: descriptor) }
        guard link.user == status.user || link.user == calls.user else { throw ErrorNumber(EXDEV) }
    }
}

/// The two parts of a path.
private struct Parts {
    let folder: String
    let name: String

    init(_ path: String, of given: String) throws(FileError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if path.isEmpty { throw FileError(ErrorNumber(ENOENT), given, .open) }
        if ["", ".", ".."].contains(name) { throw FileError(.directory, given, .open) }
    }

    /// Of a path that begins in `base`.
    func folderPath(from base: String) -> String {
        switch folder {
        case "/": "/"
        case ".": base
        default: folder.hasPrefix("/") ? "\(folder)/" : "\(base)\(folder)/"
        }
    }
}

/// Opening the folder of a path, which may have to be created.
private struct Opening<Calls: FileCalls> {
    let path: String
    let createsFolders: Bool
    let calls: Calls

    private static var flags: Int32 { O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC }
    /// To be passed through only.
    private static var passFlags: Int32 { 0o10000000 | O_DIRECTORY | O_CLOEXEC }  // O_PATH

    func open(_ folder: String, from base: Int32, _ isListable: inout Bool) throws(FileError) -> OpenFile<Calls> {
        do throws(ErrorNumber) {
            return try descriptor(folder, base, Self.flags)
        } catch {
            switch error.rawValue {
            case EACCES:
                isListable = false
                return try pass(folder, base)
            case ENOENT where createsFolders:
                try create(folder, from: base)
                return try Opening(path: path, createsFolders: false, calls: calls).open(
                    folder, from: base, &isListable)
            default: throw FileError(error, path, .open)
            }
        }
    }

    private func descriptor(_ folder: String, _ base: Int32, _ flags: Int32) throws(ErrorNumber) -> OpenFile<Calls> {
        try OpenFile(calls) { (calls) throws(ErrorNumber) in
            try calls.open(folder, in: base, flags, permissions: 0)
        }
    }

    private func pass(_ folder: String, _ base: Int32) throws(FileError) -> OpenFile<Calls> {
        do throws(ErrorNumber) {
            return try descriptor(folder, base, Self.passFlags)
        } catch {
            throw FileError(error, path, .open)
        }
    }

    /// With those above it that are missing; each is on the disk before anything is put into it.
    private func create(_ folder: String, from base: Int32) throws(FileError) {
        let parts = try Parts(folder, of: path)
        var isListable = true
        let parent = try open(parts.folder, from: base, &isListable)
        let descriptor = parent.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in
                try calls.createFolder(parts.name, in: descriptor, permissions: 0o700)
            }
            if isListable {
                try uninterrupted { () throws(ErrorNumber) in try calls.synchronise(descriptor) }
            }
        } catch {
            // Somebody else may have been faster.
            if error.rawValue != EEXIST { throw FileError(error, path, .createFolder) }
        }
    }
}
