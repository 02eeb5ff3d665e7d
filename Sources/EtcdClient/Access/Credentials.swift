internal import Glibc
internal import VisibleText

/// A user name and password.
///
/// Not printable, so that the password reaches no message.
struct Credentials: Sendable {
    let user: String
    let password: String

    /// Far more than a name and a password need.
    private static let sizeLimit = 1 << 16

    /// Reads the first line of a file that only its owner can access.
    init(readFrom path: String) throws(EtcdError) {
        func invalid(_ problem: String) -> EtcdError {
            EtcdError(.invalidOptions, "the credentials file \(path.visible) \(problem)")
        }
        guard !path.utf8.contains(0) else { throw invalid("has NUL in its path") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw invalid("cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw invalid("is not a regular file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw invalid("belongs to another user; it must belong to the user of this process or root")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw invalid("can be accessed by others; run chmod 600")
        }
        guard let line = Self.firstLine(of: descriptor), let colon = line.firstIndex(of: ":"), colon != line.startIndex
        else { throw invalid("has no line user:password") }
        user = String(line[..<colon])
        password = String(line[line.index(after: colon)...])
    }

    private static func firstLine(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        var count = 0
        while count < bytes.count {
            let result = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { return nil }
            if result == 0 { break }
            count += result
        }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(validating: line, as: UTF8.self)
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    var description: String { "Credentials of \(user)" }
    var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
