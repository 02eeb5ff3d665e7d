internal import Glibc

/// The identity of a file or directory, whatever its name: two names with the same inode denote the same file.
///
/// The kernel may reuse the number of a deleted file.
struct Inode: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// The inode that a path leads to. The path has no trailing slash, and is empty for the root.
    init(at path: some Collection<UInt8>) throws(SystemError) {
        var status = stat()
        let text = (path.isEmpty ? [UInt8(ascii: "/")] : Array(path)) + [0]
        let error = text.withUnsafeBytes { stat($0.baseAddress!.assumingMemoryBound(to: CChar.self), &status) }
        if error != 0 { throw SystemError(number: errno) }
        self.init(status)
    }

    init(_ status: stat) { self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) }
}

/// One component of a path, as bytes. File names need not be UTF-8, and `String` treats a composed and a decomposed é
/// as equal, although they name different files.
struct FileName: Sendable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    static let current = FileName(".".utf8)
    static let parent = FileName("..".utf8)
}

extension FileName: Hashable {
    static func == (a: FileName, b: FileName) -> Bool { a.bytes == b.bytes }

    // The synthesized implementation hashes byte by byte, which costs several times as much.
    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension FileName: ExpressibleByStringLiteral, CustomStringConvertible {
    init(stringLiteral text: String) { self.init(text.utf8) }

    var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// A directory that a path leads through, with its path free of links.
struct ResolvedDirectory: Sendable, Hashable {
    /// The path without a trailing slash; empty for the root.
    let path: [UInt8]
    let inode: Inode

    /// Returns the path of the entry `name`, terminated by NUL.
    func path(of name: FileName) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(path.count + name.bytes.count + 2)
        result += path
        result.append(UInt8(ascii: "/"))
        result += name.bytes
        result.append(0)
        return result
    }

    func subdirectory(_ name: FileName, _ inode: Inode) -> ResolvedDirectory {
        ResolvedDirectory(path: Array(path(of: name).dropLast()), inode: inode)
    }
}

extension ResolvedDirectory: CustomStringConvertible {
    var description: String { path.isEmpty ? "/" : String(decoding: path, as: UTF8.self) }
}
