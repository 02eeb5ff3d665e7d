/// Resolves a path like the kernel: component by component, through symbolic links, and to the real parent directory
/// for each `..`.
///
/// ```swift
/// var walk = PathWalk("/etc/app/settings.json")
/// switch walk.run(in: &view) { … }
/// ```
///
/// The walk asks the view for each component once, and ends at a missing one. If the view watches each directory before
/// it looks the name up, it also receives an event when the missing component appears later.
struct PathWalk {
    /// How a walk ended.
    enum End: Equatable, Sendable {
        /// At a regular file of this name in this directory.
        case file(Inode, FileName, ResolvedDirectory)
        /// At something else that exists: a directory, a FIFO, a device.
        case notAFile
        /// At a missing component; `isLast` if it is the last one of the path.
        case missing(isLast: Bool)
        /// After more links than the kernel follows.
        case tooManyLinks
        /// At an external file system, which is not entered; `isLast` if that is the last component of the path.
        case external(isLast: Bool)
        /// At a failed system call with this error number.
        case unknown(Int32)

        /// Whether the walk reached the last component, so that events there concern the file itself.
        var isComplete: Bool {
            switch self {
            case .file, .notAFile, .missing(isLast: true), .external(isLast: true): true
            case .missing, .external, .tooManyLinks, .unknown: false
            }
        }
    }

    /// The number of links that the kernel follows before it fails with ELOOP.
    static let maximumLinks = 40

    /// The remaining components; the next one is the last element.
    private var rest: [FileName]
    /// The directories from the root to the current one.
    private var directories: [ResolvedDirectory] = []
    private var links = 0

    init(_ path: String) { rest = Self.components(of: path.utf8).reversed() }

    mutating func run<View: FileSystemView>(in view: inout View) -> End {
        directories = [view.root()]
        while let name = rest.popLast() {
            if let end = step(name, &view) { return end }
        }
        return .notAFile
    }

    private mutating func step<View: FileSystemView>(_ name: FileName, _ view: inout View) -> End? {
        if name == .current { return nil }
        if name == .parent {
            if directories.count > 1 { directories.removeLast() }
            return nil
        }
        let directory = directories[directories.count - 1]
        switch view.lookUp(name, in: directory) {
        case .directory(let inode): directories.append(directory.subdirectory(name, inode))
        case .link(let target): return follow(target)
        case .file(let inode): return rest.isEmpty ? .file(inode, name, directory) : .missing(isLast: false)
        case .other: return rest.isEmpty ? .notAFile : .missing(isLast: false)
        case .missing: return .missing(isLast: rest.allSatisfy { $0 == .current })
        case .external: return .external(isLast: rest.allSatisfy { $0 == .current })
        case .unknown(let error): return .unknown(error)
        }
        return nil
    }

    private mutating func follow(_ target: [UInt8]) -> End? {
        links += 1
        guard links <= Self.maximumLinks else { return .tooManyLinks }
        if target.first == UInt8(ascii: "/") { directories.removeSubrange(1...) }
        rest += Self.components(of: target).reversed()
        return nil
    }

    /// Returns the names between the slashes. A trailing slash requires a directory, like a trailing `.`.
    private static func components(of path: some Collection<UInt8>) -> [FileName] {
        var names = path.split(separator: UInt8(ascii: "/")).map { FileName($0) }
        if path.reversed().first == UInt8(ascii: "/"), !names.isEmpty { names.append(.current) }
        return names
    }
}

/// The file system as a walk along a path sees it.
///
/// The implementation for the real file system watches a directory before it looks a name up in it, so that no change
/// is missed in between.
protocol FileSystemView {
    /// Returns the root directory.
    mutating func root() -> ResolvedDirectory

    /// Looks a name up in a directory. The walk calls this once per component, in the order of the path.
    mutating func lookUp(_ name: FileName, in directory: ResolvedDirectory) -> DirectoryEntry
}

/// What a name denotes.
enum DirectoryEntry: Equatable, Sendable {
    case directory(Inode)
    /// A regular file.
    case file(Inode)
    /// A symbolic link with its target.
    case link(to: [UInt8])
    /// A FIFO, a socket, a device.
    case other
    case missing
    /// A mount point of an external file system, which must not be accessed.
    case external
    /// The lookup failed with this error number.
    case unknown(Int32)
}
