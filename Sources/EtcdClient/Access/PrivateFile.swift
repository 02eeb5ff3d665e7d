internal import Glibc
internal import VisibleText

/// An open file with a secret, such as a password.
struct PrivateFile: ~Copyable {
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a regular file of the effective user or root that others cannot access.
    ///
    /// - Parameters:
    ///   - what: What the file is, for errors.
    ///   - groupMayRead: Whether the group of the file may read it.
    static func opened(
        _ path: String, _ what: String, groupMayRead: Bool = false
    ) throws(EtcdError) -> PrivateFile {
        guard !path.utf8.contains(0) else { throw .unusableFile(path, what, "has NUL in its path") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw .unusableFile(path, what, "cannot be opened: \(String(cString: strerror(errno)))")
        }
        let file = PrivateFile(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unusableFile(path, what, "is not a regular file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .unusableFile(
                path, what, "belongs to another user; it must belong to the user of this process or root")
        }
        guard status.st_mode & (groupMayRead ? 0o037 : 0o077) == 0 else {
            throw .unusableFile(path, what, "can be accessed by others; run chmod 600")
        }
        return file
    }
}

extension EtcdError {
    /// A file that the options name cannot be used.
    static func unusableFile(_ path: String, _ what: String, _ problem: String) -> EtcdError {
        EtcdError(.invalidOptions, "the \(what) \(path.visible) \(problem)")
    }
}
