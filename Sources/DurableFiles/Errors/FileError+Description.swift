internal import Glibc
internal import VisibleText

extension FileError: CustomStringConvertible {
    /// The path, the reason and the advice on one line, safe to print on a terminal: `server.json: Permission denied;
    /// …`.
    public var description: String {
        let statement = "\(path.visible(upTo: 8_000)): \(reason)"
        return advice.map { "\(statement); \($0)" } ?? statement
    }

    /// The reason without the path: `Permission denied`.
    public var reason: String {
        switch code {
        case .directory: "Is a directory"
        case .notRegular(let kind): "Not a regular file but \(kind.name)"
        case .tooLarge(let size, let limit): "Too large: \(size) bytes, and at most \(limit) are allowed"
        case .invalidPath: "A path cannot contain NUL"
        case .busy where operation == .exchange: "Other programs keep changing the file"
        case .busy: "Another program holds a lease on the file"
        case .untrusted(let step): step.reason
        case .unreadableLink: "A symbolic link has a target that is not UTF-8"
        case .openFile: "A link in /proc to an open file cannot be replaced"
        case .unstable: "The path keeps leading to a different directory"
        case .notDurable: "Written, but synchronizing failed: \(systemMessage)"
        case .missing where directory != nil: "The directory \(directoryName) does not exist"
        default: systemMessage
        }
    }

    private var systemMessage: String { String(cString: strerror(errorNumber)) }

    /// What may fix the error, if known.
    public var advice: String? {
        switch code {
        case .missing where directory != nil:
            "create it with mkdir -p, or let the program create it (createsDirectories)"
        case .permission: permissionAdvice
        case .loop: "follow the symbolic links with namei"
        case .openFile: "use the path of the file"
        case .readOnly: "check the mount options with findmnt\(serviceAdvice)"
        case .untrusted(let step): step.advice
        case .notDurable: "see the kernel log with dmesg"
        case .busy where operation == .exchange: nil
        case .busy: "see /proc/locks"
        case .full where errorNumber == EDQUOT:
            "the user's quota is exhausted on the file system of \(fileSystemDirectory), see quota"
        case .full: "free space on the file system of \(fileSystemDirectory), see df and df -i"
        case .system where errorNumber == EMFILE: "this program has too many files open, raise the limit with ulimit -n"
        case .system where errorNumber == ENFILE:
            "the system has too many files open, raise the limit with sysctl fs.file-max"
        case .system where errorNumber == ENOMEM: "the system is out of memory, see free"
        case .system where errorNumber == EIO: "see the kernel log with dmesg"
        default: nil
        }
    }
}

extension FileError {
    private var fileSystemDirectory: String { SplitPath(path).directory.visible }

    /// Creates the error for a failed system call.
    package init(_ errorNumber: ErrorNumber, _ path: String, _ operation: Operation, directory: String? = nil) {
        self.init(
            Code(errorNumber.rawValue, operation), path, operation, errorNumber: errorNumber.rawValue,
            directory: directory)
    }
}

extension FileError.Code {
    fileprivate init(_ errorNumber: Int32, _ operation: FileError.Operation) {
        switch errorNumber {
        case ENOENT: self = .missing
        case EISDIR: self = .directory
        case EACCES, EPERM: self = .permission
        case ELOOP: self = .loop
        case ENAMETOOLONG: self = .nameTooLong
        case ENOTDIR: self = .notADirectory
        case EAGAIN where operation == .open || operation == .exchange: self = .busy
        case ENOSPC, EDQUOT: self = .full
        case EROFS: self = .readOnly
        default: self = .system
        }
    }
}

extension SpecialFileKind {
    fileprivate var name: String {
        switch self {
        case .link: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .unknown: "something unknown"
        }
    }
}
