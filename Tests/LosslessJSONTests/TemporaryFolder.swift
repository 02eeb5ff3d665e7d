import Foundation
import Glibc
import Testing

/// A folder of a test's own, gone when the test is.
final class TemporaryFolder {
    private let root: String

    init() throws {
        root = "\(FileManager.default.temporaryDirectory.path)/SessionMirror-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(of name: String) -> String { "\(root)/\(name)" }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = try #require(fopen(path(of: name), "w"))
        let count = fwrite(bytes, 1, bytes.count, file)
        try #require(fclose(file) == 0 && count == bytes.count)
    }

    func read(_ name: String) throws -> [UInt8] {
        let file = try #require(fopen(path(of: name), "r"))
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        try #require(fread(&bytes, 1, bytes.count, file) == bytes.count)
        return bytes
    }
}
