import Foundation
import Glibc

/// A folder that a test works in, gone with all that is in it when it is released.
package final class TemporaryFolder: Sendable {
    /// Where temporary things go.
    package static let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

    /// Without symbolic links on the way.
    package let path: String

    package init(in parent: String = place) throws {
        guard let resolved = realpath(parent, nil) else { throw SystemRefusal.last(parent) }
        defer { free(resolved) }
        path = "\(String(cString: resolved))/SessionMirror-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw SystemRefusal.last("mkdir \(path)") }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Replaces what the file holds, as `>` does; creates it where it is missing.
    package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    /// Replaces what the file holds, as `>` does; creates it where it is missing.
    package func write(_ name: String, _ bytes: [UInt8]) throws { try write(bytes, to: name, O_TRUNC) }

    /// Writes at the end, as `>>` does.
    package func append(_ name: String, _ text: String) throws { try write(Array(text.utf8), to: name, O_APPEND) }

    private func write(_ bytes: [UInt8], to name: String, _ flags: Int32) throws {
        let descriptor = try Descriptor.open(path(of: name), O_WRONLY | O_CREAT | flags)
        defer { close(descriptor) }
        try Descriptor.write(bytes, to: descriptor)
    }

    package func read(_ name: String) throws -> String { String(decoding: try readBytes(name), as: UTF8.self) }

    package func readBytes(_ name: String) throws -> [UInt8] {
        let descriptor = try Descriptor.open(path(of: name), O_RDONLY)
        defer { close(descriptor) }
        return try Descriptor.read(descriptor)
    }
}

extension TemporaryFolder {
    /// Creates a folder, and those above it that are missing.
    package func createFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: true)
    }

    /// Creates a symbolic link that says `target`, whatever that is.
    package func link(_ name: String, to target: String) throws {
        guard symlink(target, path(of: name)) == 0 else { throw SystemRefusal.last("symlink \(name)") }
    }

    /// Renames within the folder, over what is there.
    package func rename(_ name: String, to newName: String) throws {
        guard Glibc.rename(path(of: name), path(of: newName)) == 0 else { throw SystemRefusal.last("rename \(name)") }
    }

    /// Removes a file or a folder with all that is in it.
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(of: name)) }

    /// All names in it, those that begin with a dot too.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// What lies in it that only belongs there while somebody replaces a file.
    package func leftOvers() throws -> [String] { try names().filter { $0.contains(".sm-") } }

    /// How many descriptors of this process are open on files of this folder: what a test of leaks counts, since other
    /// tests open and close their own meanwhile.
    package func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target?.hasPrefix(path) ?? false
        }
    }
}
