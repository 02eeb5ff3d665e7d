@testable import FileWatching

/// A file system in memory: `"/etc/app" : .folder`.
struct FakeFileSystem: FileSystemView {
    enum Entry {
        case folder
        case file
        case link(String)
        case fifo
        case locked(Int32)
    }

    private var entries: [String: Entry]
    private var numbers: [String: UInt64] = [:]
    /// The paths that were looked up, in order.
    private(set) var lookups: [String] = []

    init(_ entries: [String: Entry]) {
        self.entries = entries
        for (number, path) in entries.keys.sorted().enumerated() { numbers[path] = UInt64(number + 2) }
    }

    func inode(_ path: String) -> Inode { Inode(device: 1, number: numbers[path] ?? 1) }

    func root() -> ResolvedDirectory { ResolvedDirectory(path: [], inode: inode("/")) }

    mutating func lookUp(_ name: FileName, in directory: ResolvedDirectory) -> DirectoryEntry {
        let path = String(decoding: directory.path(of: name).dropLast(), as: UTF8.self)
        lookups.append(path)
        return switch entries[path] {
        case .folder: .directory(inode(path))
        case .file: .file(inode(path))
        case .link(let target): .link(to: Array(target.utf8))
        case .fifo: .other
        case .locked(let error): .unknown(error)
        case nil: .missing
        }
    }
}
