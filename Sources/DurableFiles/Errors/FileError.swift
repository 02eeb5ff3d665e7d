/// An error of an operation on a file: the code, the path, the operation, and the `errno` value behind it.
///
/// ```swift
/// do {
///     contents = try DurableFile(path).read(limit: limit)
/// } catch where error.code == .missing {
///     contents = nil
/// }
/// ```
public struct FileError: Error, Sendable, Hashable {
    /// The kind of an error.
    public enum Code: Sendable, Hashable {
        /// Nothing exists at the path, or a directory of the path does not exist: ``FileError/directory`` tells.
        case missing
        /// The path names a directory instead of a file.
        case directory
        /// The path names neither a regular file nor a directory.
        case notRegular(SpecialFileKind)
        /// The file is larger than the limit. `size` is the size seen; the file may have grown since.
        case tooLarge(size: Int64, limit: Int)
        /// The process lacks the permission.
        case permission
        /// Symbolic links form a loop, or there are too many of them.
        case loop
        /// The path or one of its components is too long.
        case nameTooLong
        /// A component of the path is not a directory.
        case notADirectory
        /// The path contains NUL.
        case invalidPath
        /// Another program held a lease or a lock on the file, or kept changing it, until the time limit.
        case busy
        /// The path leads through a link, a directory or a name that an untrusted user may have placed.
        case untrusted(UntrustedPath)
        /// A symbolic link has a target that is not UTF-8.
        case unreadableLink
        /// The path is a link in /proc to an open file, such as `/dev/stdin` or `/dev/fd/3`. It can be read but not
        /// replaced, because the link would still lead to the old file.
        case openFile
        /// No space is left on the file system, or in the quota of the user.
        case full
        /// The file system is mounted read-only.
        case readOnly
        /// The path kept leading to a different directory.
        case unstable
        /// The file holds the new bytes, but synchronizing them failed: after a crash of the system it may hold the old
        /// ones.
        case notDurable
        /// Another error of the system: I/O, network, a limit.
        case system
    }

    /// The operation that failed.
    public enum Operation: String, Sendable, Hashable {
        /// Opening the file.
        case open
        /// Reading the file's status (`stat`).
        case status
        /// Reading the file's contents.
        case read
        /// Creating the file, or a file next to it.
        case create
        /// Creating a missing directory of the path.
        case createDirectory
        /// Writing the contents.
        case write
        /// Copying the owner, permissions and extended attributes of the old version to the new one.
        case copyAttributes
        /// Waiting until the data is on disk.
        case synchronize
        /// Exchanging the old version with the new one.
        case exchange
        /// Taking or querying a lease.
        case lease
        /// Listing a directory.
        case list
        /// Removing a directory.
        case remove
    }

    /// The kind of the error.
    public let code: Code

    /// The path as the caller gave it.
    public let path: String

    /// The operation that failed.
    public let operation: Operation

    /// The `errno` value, or 0 if there is none.
    public let errorNumber: Int32

    /// The directory that is the cause, as far as it is known: it is missing (``Code-swift.enum/missing``, only when
    /// a file is replaced), or the process may not search it or change its entries (``Code-swift.enum/permission``).
    /// Nil if the file itself is.
    public let directory: String?

    init(
        _ code: Code, _ path: String, _ operation: Operation, errorNumber: Int32 = 0, directory: String? = nil
    ) {
        self.code = code
        self.path = path
        self.operation = operation
        self.errorNumber = errorNumber
        self.directory = directory
    }
}

/// The kinds of file that are neither regular files nor directories.
public enum SpecialFileKind: Sendable, Hashable {
    /// A symbolic link, where links are not followed.
    case link
    /// A named pipe (FIFO).
    case pipe
    /// A socket.
    case socket
    /// A character or block device.
    case device
    /// A kind unknown to this library.
    case unknown
}
