internal import Glibc

/// A user name and password.
///
/// Not printable, so that the password reaches no message.
struct Credentials: Sendable {
    let user: String
    let password: String

    private static let name = "credentials file"

    /// Far more than a name and a password need.
    private static let sizeLimit = 1 << 16

    /// Reads the first line of a file that only its owner can access.
    init(readFrom path: String) throws(EtcdError) {
        let file = try PrivateFile.opened(path, Self.name)
        guard let line = Self.firstLine(of: file.descriptor), let colon = line.firstIndex(of: ":"),
            colon != line.startIndex
        else { throw .unusableFile(path, Self.name, "has no line user:password") }
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
