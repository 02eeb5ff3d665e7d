internal import Glibc

/// The way to the folder of a file, along symbolic links that can be trusted.
///
/// A link in a folder that everybody may write to is followed only where it belongs to the owner of the folder or to the
/// user of this process, since anybody could have put it there. Kernels can be told to do the same, and only some are.
struct FolderWay<Calls: FileCalls> {
    /// What errors tell of.
    let path: String
    let createsFolders: Bool
    let calls: Calls
    /// Whether the folder that was opened last may be read.
    private(set) var isListable = true
    private var links = 0

    private static var mostLinks: Int { 40 }
    private static var flags: Int32 { O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC }
    /// To be passed through only: Swift's Glibc lacks O_PATH.
    private static var passingFlags: Int32 { 0o10000000 | O_DIRECTORY | O_CLOEXEC }

    init(path: String, createsFolders: Bool, calls: Calls) {
        (self.path, self.createsFolders, self.calls) = (path, createsFolders, calls)
    }

    /// The folder at the end of a path that begins in `base`, created where it is missing and that is wanted.
    mutating func open(_ folder: String, from base: Int32) throws(FileError) -> OpenFile<Calls> {
        isListable = true
        do throws(FileError) {
            return try open(folder, from: base, Self.flags)
        } catch {
            if error.errorNumber == EACCES {
                isListable = false
                return try open(folder, from: base, Self.passingFlags)
            }
            guard createsFolders, error.errorNumber == ENOENT else { throw error }
        }
        try create(folder, from: base)
        isListable = true
        return try open(folder, from: base, Self.flags)
    }

    private mutating func open(
        _ folder: String, from base: Int32, _ flags: Int32
    ) throws(FileError) -> OpenFile<Calls> {
        do throws(ErrorNumber) {
            return try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.openWithoutLinks(folder, in: base, flags)
            }
        } catch {
            // Kernels and containers from before 2020 do not know or allow the call.
            guard [ELOOP, ENOSYS, EPERM].contains(error.rawValue) else { throw FileError(error, path, .open) }
        }
        let parts = Parts(folder)
        let isStep = ["", ".", ".."].contains(folder) || folder == "/"
        if isStep { return try openByKernel(folder, from: base, flags) }
        let parent = try open(parts.folder, from: base, Self.passingFlags)
        guard let target = try follow(parts.name, in: parent) else {
            // A link that has just been put there must not be followed.
            return try openByKernel(parts.name, from: parent.descriptor, flags | O_NOFOLLOW)
        }
        if target.isMagic { return try openByKernel(parts.name, from: parent.descriptor, flags) }
        return try open(target.text, from: parent.descriptor, flags)
    }

    private func openByKernel(
        _ name: String, from base: Int32, _ flags: Int32
    ) throws(FileError) -> OpenFile<Calls> {
        do throws(ErrorNumber) {
            return try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(name.isEmpty ? "." : name, in: base, flags, permissions: 0)
            }
        } catch {
            throw FileError(error, path, .open)
        }
    }

    /// With those above it that are missing; each is on the disk before anything is put into it.
    private mutating func create(_ folder: String, from base: Int32) throws(FileError) {
        let parts = try Parts(folder, of: path)
        let parent = try open(parts.folder, from: base)
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

extension FolderWay {
    /// What a symbolic link says.
    struct Target {
        let text: String
        /// A link of /proc that leads where no path does.
        let isMagic: Bool
    }

    /// Nil when the name is no link.
    mutating func follow(_ name: String, in folder: borrowing OpenFile<Calls>) throws(FileError) -> Target? {
        let descriptor = folder.descriptor
        let bytes: [UInt8]
        do throws(ErrorNumber) {
            bytes = try uninterrupted { () throws(ErrorNumber) in try calls.target(of: name, in: descriptor) }
        } catch {
            if [EINVAL, ENOENT].contains(error.rawValue) { return nil }
            throw FileError(error, path, .look)
        }
        links += 1
        if links > Self.mostLinks { throw FileError(ErrorNumber(ELOOP), path, .open) }
        let link = try tell(path, .look) { () throws(ErrorNumber) in try calls.status(of: name, in: descriptor) }
        let there = try tell(path, .look) { () throws(ErrorNumber) in try folder.status() }
        guard there.permissions & S_IWOTH == 0 || [there.user, calls.user].contains(link.user) else {
            throw FileError(.untrustedLink, path, .open)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw FileError(.unreadableLink, path, .open)
        }
        return Target(text: text, isMagic: link.identity.size != bytes.count)
    }
}
