import FileScripts
import FoundationEssentials
import Glibc

/// Writes files as other programs do, without waiting for the disk.
enum FileWriting {
    static func overwrite(_ path: String, with bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    static func replace(_ path: String, with bytes: [UInt8]) throws {
        try overwrite(path + ".new", with: bytes)
        if rename(path + ".new", path) != 0 { fail("rename: \(errno)") }
    }
}
