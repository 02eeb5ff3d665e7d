/// Goes along a path as the kernel does: component by component, through symbolic links wherever they lead, to the
/// directory that is really above for each `..`.
///
/// ```swift
/// var walk = PathWalk("/etc/app/settings.json")
/// switch walk.run(in: &view) { … }
/// ```
///
/// Which places lie on the way is for the view to note: it is asked about each of them once. The walk ends where
/// something is missing; whatever appears there later has been looked for by name, so a view that watches before it
/// looks will hear of it.
struct PathWalk {
    /// How a walk ended.
    enum End: Equatable, Sendable {
        /// A regular file of this name in this directory.
        case file(Inode, FileName, Directory)
        /// Something that has no content to read: a directory, a FIFO, a device.
        case notAFile
        /// Nothing; `isLast` when only the last component lacks.
        case missing(isLast: Bool)
        /// More links than the kernel follows.
        case tooManyLinks
        /// Where others tell what is there; `isLast` when that is the last component.
        case foreign(isLast: Bool)
        /// It could not be told what is there, for this error number.
        case unknown(Int32)

        /// Whether the walk came to the end of the path, so that what happens there happens to the file itself.
        var isComplete: Bool {
            switch self {
            case .file, .notAFile, .missing(isLast: true), .foreign(isLast: true): true
            case .missing, .foreign, .tooManyLinks, .unknown: false
            }
        }
    }

    /// As many links as the kernel follows before it says ELOOP.
    static let mostLinks = 40

    /// The components still to go, the next one last.
    private var rest: [FileName]
    /// The directories passed, the present one last.
    private var way: [Directory] = []
    private var links = 0

    init(_ path: String) { rest = Self.components(of: path.utf8).reversed() }

    mutating func run<View: FileSystemView>(in view: inout View) -> End {
        way = [view.root()]
        while let name = rest.popLast() {
            if let end = take(name, &view) { return end }
        }
        return .notAFile
    }

    private mutating func take<View: FileSystemView>(_ name: FileName, _ view: inout View) -> End? {
        if name == .here { return nil }
        if name == .above {
            if way.count > 1 { way.removeLast() }
            return nil
        }
        let directory = way[way.count - 1]
        switch view.look(for: name, in: directory) {
        case .directory(let inode): way.append(directory.subdirectory(name, inode))
        case .link(let target): return follow(target)
        case .file(let inode): return rest.isEmpty ? .file(inode, name, directory) : .missing(isLast: false)
        case .other: return rest.isEmpty ? .notAFile : .missing(isLast: false)
        case .missing: return .missing(isLast: rest.allSatisfy { $0 == .here })
        case .foreign: return .foreign(isLast: rest.allSatisfy { $0 == .here })
        case .unknown(let error): return .unknown(error)
        }
        return nil
    }

    private mutating func follow(_ target: [UInt8]) -> End? {
        links += 1
        guard links <= Self.mostLinks else { return .tooManyLinks }
        if target.first == UInt8(ascii: "/") { way.removeSubrange(1...) }
        rest += Self.components(of: target).reversed()
        return nil
    }

    /// The names between the slashes. A slash at the end asks for a directory, as `.` behind it does.
    private static func components(of path: some Collection<UInt8>) -> [FileName] {
        var names = path.split(separator: UInt8(ascii: "/")).map { FileName($0) }
        if path.reversed().first == UInt8(ascii: "/"), !names.isEmpty { names.append(.here) }
        return names
    }
}
