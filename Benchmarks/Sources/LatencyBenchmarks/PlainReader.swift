import Glibc
import LosslessJSON
import ManualTiming

/// A child process that opens, reads, closes, parses and decodes each file, and keeps text, tree and value. It reports
/// the same costs as ``SessionWatcher``.
enum PlainReader {
    static let name = "plain"

    private final class LoadedFile {
        let document: JSONDocument
        let settings: SettingsDocument.Settings

        init(_ path: String) throws {
            document = try JSONDocument(parsing: PlainReader.read(path))
            settings = try document.decode(SettingsDocument.Settings.self)
        }
    }

    static func run(_ paths: [String]) throws {
        let first = try LoadedFile(paths[0])
        let opening = try OpeningCost(paths) { try LoadedFile($0) }
        printLine(opening.line)
        while readLine() != nil {}
        withExtendedLifetime((first, opening.opened)) {}
    }

    private static func read(_ path: String) -> [UInt8] {
        let descriptor = check("open \(path)", open(path, O_RDONLY | O_CLOEXEC))
        defer { close(descriptor) }
        var status = stat()
        _ = check("fstat", fstat(descriptor, &status))
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = check("read", Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
    }
}
