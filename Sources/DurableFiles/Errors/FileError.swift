/// Why something with a file did not work, which file it was, and what would help.
///
/// ```swift
/// do {
///     contents = try DurableFile(path).read(limit: limit)
/// } catch where error.code == .missing {
///     contents = nil
/// }
/// ```
public struct FileError: Error, Sendable, Hashable {
    /// What kind of error.
    public enum Code: Sendable, Hashable {
        /// There is nothing at the path.
        case missing
        /// A folder is there, where a file is needed.
        case directory
        /// Something is there that is neither a regular file nor a folder.
        case notRegular(SpecialFileKind)
        /// The file has more bytes than the caller wants; the size is that seen, the file may have more by now.
        case tooLarge(size: Int64, limit: Int)
        /// The rights of the process do not suffice.
        case permission
        /// Symbolic links lead to each other, or too many follow upon another.
        case loop
        /// The path or a part of it is longer than the system allows.
        case nameTooLong
        /// A part of the path that must be a folder is none.
        case notADirectory
        /// The path holds the character NUL, which no path can.
        case invalidPath
        /// Another program keeps the file to itself, and did so for as long as was waited.
        case busy
        /// Any other reason that the system gave: the disk, the network, a limit.
        case system
    }

    /// What was tried.
    public enum Operation: String, Sendable, Hashable {
        /// To open the file.
        case open
        /// To ask the system about it.
        case look
        /// To read its bytes.
        case read
    }

    /// What kind of error.
    public let code: Code

    /// Which file, as the caller named it.
    public let path: String

    /// What was tried.
    public let operation: Operation

    /// The number that the system gave (`errno`), or 0 where it gave none.
    public let errorNumber: Int32

    init(_ code: Code, _ path: String, _ operation: Operation, errorNumber: Int32 = 0) {
        self.code = code
        self.path = path
        self.operation = operation
        self.errorNumber = errorNumber
    }
}

/// What can be at a path beside files and folders.
public enum SpecialFileKind: Sendable, Hashable {
    /// A pipe with a name, also called FIFO.
    case pipe
    /// A socket with a name.
    case socket
    /// A device, of characters or blocks.
    case device
    /// Something that this library does not know.
    case unknown
}
