import DurableFiles
import Glibc

/// Puts new bytes in the place of a file: in a file of their own beside it, which takes its name when all is written.
///
/// Symbolic links stay links, and the file keeps its rights and, where the system lets it, its owner. Readers see the
/// old bytes or the new ones, never a part. Between the last look and the renaming another program can write; what it
/// wrote is then lost. Other names of the file (hard links) keep the old bytes, and a process that is killed while it
/// writes leaves its file behind, `.sessionctl-….tmp`.
struct Replacement {
    private let name: String
    /// Where symbolic links lead.
    private let path: String

    private static let mostLinks = 40

    init(of name: String) throws(Failure) {
        self.name = name
        path = try Replacement.resolved(name)
    }

    /// Also where the file that the last link names is not there yet.
    private static func resolved(_ name: String) throws(Failure) -> String {
        var path = name
        for _ in 0..<mostLinks {
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &target, target.count)
            if count < 0 { return path }
            guard let link = String(validating: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            else {
                throw .refused("\(name.visible): a symbolic link leads to a name that is not UTF-8")
            }
            path = link.hasPrefix("/") ? link : folder(of: path) + link
        }
        return path
    }

    /// With a slash behind it, or nothing for the working directory.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Which version is there; nil when there is none.
    func identity() throws(Failure) -> FileIdentity? {
        do throws(FileError) {
            return try DurableFile(path).identity()
        } catch {
            if error.code == .missing { return nil }
            throw .refused(error.description)
        }
    }

    /// Writes; false when the file is no longer the version that was read.
    func write(_ bytes: [UInt8], over version: FileIdentity?) throws(Failure) -> Bool {
        let folder = Replacement.folder(of: path)
        let temporary = "\(folder).sessionctl-\(UInt64.random(in: .min ... .max)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refused(name.visible, errorNumber: errno) }
        var isInPlace = false
        defer {
            close(descriptor)
            if !isInPlace { unlink(temporary) }
        }
        if version != nil { takeRights(descriptor) }
        try Output(descriptor: descriptor, title: name.visible).write(bytes)
        guard fsync(descriptor) == 0 else { throw .refused(name.visible, errorNumber: errno) }
        guard try identity() == version else { return false }
        guard rename(temporary, path) == 0 else { throw .refused(name.visible, errorNumber: errno) }
        isInPlace = true
        try sync(folder)
        return true
    }

    private func takeRights(_ descriptor: Int32) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // Root may set both, others a group of theirs. What another group could do, this one need not.
        let hasGroup =
            fchown(descriptor, status.st_uid, status.st_gid) == 0 || fchown(descriptor, .max, status.st_gid) == 0
        _ = fchmod(descriptor, status.st_mode & (hasGroup ? 0o7777 : 0o7707))
    }

    private func sync(_ folder: String) throws(Failure) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }  // a folder that cannot be read can still be written to
        defer { close(descriptor) }
        // Some file systems cannot.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .refused(
                "\(name.visible) is written, but may be gone after a crash of the system", errorNumber: errno)
        }
    }
}
