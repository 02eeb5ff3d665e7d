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
        /// Another program keeps the file to itself, or changes it again and again, and did so for as long as was
        /// waited.
        case busy
        /// A symbolic link in a folder that everybody may write to, and neither the folder's owner nor the user of this
        /// process put it there.
        case untrustedLink
        /// A symbolic link leads to a name that is no text (UTF-8).
        case unreadableLink
        /// There is no room left, or none for this user.
        case full
        /// Nothing can be written there, whoever wants to: the file system is mounted read-only.
        case readOnly
        /// The path leads to another folder again and again.
        case restless
        /// The file holds the new bytes, but the disk did not confirm it: after a crash of the system it may hold the
        /// old ones.
        case notDurable
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
        /// To create a file beside it, or itself.
        case create
        /// To create a folder on its way.
        case createFolder
        /// To write bytes.
        case write
        /// To give the new version the owner, the rights and the attributes of the old one.
        case copyAttributes
        /// To wait until the disk has it.
        case synchronise
        /// To put the new version in its place.
        case exchange
        /// To keep others from changing it meanwhile.
        case hold
        /// To find out what a crash left.
        case list
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
