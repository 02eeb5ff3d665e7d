@testable import FileWatching

/// A file system that a test thinks up: `"/etc/app" : .folder`.
struct ImaginedFileSystem: FileSystemView {
    enum Thing {
        case folder
        case file
        case link(String)
        case fifo
        case locked(Int32)
    }

    private var things: [String: Thing]
    private var numbers: [String: UInt64] = [:]
    /// The places that were asked about, in order.
    private(set) var asked: [String] = []

    init(_ things: [String: Thing]) {
        self.things = things
        for (number, path) in things.keys.sorted().enumerated() { numbers[path] = UInt64(number + 2) }
    }

    func inode(_ path: String) -> Inode { Inode(device: 1, number: numbers[path] ?? 1) }

    func root() -> Directory { Directory(path: [], inode: inode("/")) }

    mutating func look(for name: FileName, in directory: Directory) -> Entry {
        let path = String(decoding: directory.path(of: name).dropLast(), as: UTF8.self)
        asked.append(path)
        return switch things[path] {
        case .folder: .directory(inode(path))
        case .file: .file(inode(path))
        case .link(let target): .link(to: Array(target.utf8))
        case .fifo: .other
        case .locked(let error): .unknown(error)
        case nil: .missing
        }
    }
}
