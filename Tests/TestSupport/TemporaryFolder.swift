import Foundation
import Glibc
import Locking

/// A temporary directory, removed with its contents on release.
///
/// Removed once more when the process exits: a session that is released just before may still save its last value, and
/// creates missing directories if it is told to.
package final class TemporaryFolder: Sendable {
    /// The parent directory of temporary files.
    package static let defaultParent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

    /// The absolute path, without symbolic links.
    package let path: String

    package init(in parent: String = defaultParent) throws {
        guard let resolved = realpath(parent, nil) else { throw TestSupportError.last(parent) }
        defer { free(resolved) }
        path = "\(String(cString: resolved))/SessionMirror-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw TestSupportError.last("mkdir \(path)") }
    }

    deinit {
        Self.remove(path)
        Self.released.withLock { $0.append(path) }
    }

    /// The paths of released directories.
    private static let released: Lock<[String]> = {
        atexit {
            for path in TemporaryFolder.released.withLock(\.self) { TemporaryFolder.remove(path) }
        }
        return Lock([])
    }()

    /// Removes the directory if it is there.
    private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Replaces the contents of the file like `>`; creates a missing file.
    package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    /// Replaces the contents of the file like `>`; creates a missing file.
    package func write(_ name: String, _ bytes: [UInt8]) throws { try write(bytes, to: name, O_TRUNC) }

    /// Appends to the file like `>>`; creates a missing file.
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
    /// Creates a directory and its missing parents.
    package func createFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: true)
    }

    /// Creates a symbolic link to `target`, which need not exist.
    package func link(_ name: String, to target: String) throws {
        guard symlink(target, path(of: name)) == 0 else { throw TestSupportError.last("symlink \(name)") }
    }

    /// Renames a file in the directory, replacing an existing one.
    package func rename(_ name: String, to newName: String) throws {
        guard Glibc.rename(path(of: name), path(of: newName)) == 0 else {
            throw TestSupportError.last("rename \(name)")
        }
    }

    /// Removes a file, or a directory with its contents.
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(of: name)) }

    /// All names in the directory, including hidden ones.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Files that belong to a replacement in progress, or were left by one.
    package func leftovers() throws -> [String] { try names().filter { $0.contains(".sm-") } }

    /// The number of descriptors of this process that refer to files in this directory. Tests of leaks count these,
    /// since other tests open and close descriptors at the same time.
    package func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target?.hasPrefix(path) ?? false
        }
    }
}
