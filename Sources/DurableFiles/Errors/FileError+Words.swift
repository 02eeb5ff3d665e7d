internal import Glibc

extension FileError: CustomStringConvertible {
    /// The path, the reason, and what would help: `server.json: Permission denied; …`, on one line and fit for a
    /// terminal.
    public var description: String {
        let statement = "\(path.visible): \(reason)"
        return advice.map { "\(statement); \($0)" } ?? statement
    }

    /// What is the matter, without the path: `Permission denied`.
    public var reason: String {
        switch code {
        case .directory: "Is a directory"
        case .notRegular(let kind): "Not a regular file but \(kind.words)"
        case .tooLarge(let size, let limit): "Too large: \(size) bytes, and at most \(limit) are allowed"
        case .invalidPath: "A path cannot hold the character NUL"
        case .busy where operation == .exchange: "Other programs change the file again and again"
        case .busy: "Another program keeps the file to itself"
        case .untrustedLink: "A symbolic link of another user, in a folder that everybody may write to"
        case .unreadableLink: "A symbolic link leads to a name that is not UTF-8"
        case .restless: "The path leads to another folder again and again"
        case .notDurable: "Written, but the disk does not confirm it: \(systemWords)"
        default: systemWords
        }
    }

    private var systemWords: String { String(cString: strerror(errorNumber)) }

    /// What would help, where that is known.
    public var advice: String? {
        switch code {
        case .permission where operation == .write && errorNumber == EPERM:
            "it is protected against everybody: chattr -i takes that away"
        case .permission where operation == .write:
            "the user of this program must be allowed to write to it, see chmod"
        case .permission where [.create, .createFolder, .exchange].contains(operation):
            "the user of this program must be allowed to write to its folder"
        case .permission: "the user of this program must be allowed to read it and to enter each folder on its way"
        case .loop: "see where the symbolic links lead, with namei"
        case .readOnly: "see with findmnt how its file system is mounted"
        case .untrustedLink: "name the file that it leads to, or let the owner of the folder make the link"
        case .notDurable: "see the messages of the kernel, with dmesg"
        case .busy where operation == .exchange: nil
        case .busy: "it holds a lease on it, see /proc/locks"
        case .system where errorNumber == EMFILE: "this program has too many files open, see ulimit -n"
        case .system where errorNumber == ENFILE:
            "all programs together have too many files open, see sysctl fs.file-max"
        default: nil
        }
    }
}

extension FileError {
    /// What the system refused.
    init(_ errorNumber: ErrorNumber, _ path: String, _ operation: Operation) {
        self.init(Code(errorNumber.rawValue, operation), path, operation, errorNumber: errorNumber.rawValue)
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
    fileprivate var words: String {
        switch self {
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .unknown: "something unknown"
        }
    }
}

extension String {
    /// Without what a terminal might obey, such as control characters and direction marks.
    fileprivate var visible: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isObeyed ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isObeyed: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
