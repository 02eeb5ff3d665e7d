import Glibc
import HandTimed
import LosslessJSON

/// A process that does for each file what every program that reads one must do (open, read, close, parse, decode), and
/// keeps text, tree and value. It tells the same of that as ``SessionHost``.
enum PlainHost {
    static let name = "plain"

    private final class Kept {
        let document: JSONDocument
        let settings: Document.Settings

        init(_ path: String) throws {
            document = try JSONDocument(parsing: PlainHost.read(path))
            settings = try document.decode(Document.Settings.self)
        }
    }

    static func run(_ paths: [String]) throws {
        let first = try Kept(paths[0])
        let opening = try Opening(paths) { try Kept($0) }
        say(opening.line)
        while readLine() != nil {}
        withExtendedLifetime((first, opening.opened)) {}
    }

    private static func read(_ path: String) -> [UInt8] {
        let descriptor = must("open \(path)", open(path, O_RDONLY | O_CLOEXEC))
        defer { close(descriptor) }
        var status = stat()
        _ = must("fstat", fstat(descriptor, &status))
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = must("read", Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
    }
}
