internal import CLinux
internal import Glibc

/// The real file system, each directory of which is watched before anything is looked for in it.
///
/// Notes on the way what serves the path, and why changes might go unseen. A directory that must not be read cannot be
/// watched; that does no harm as long as what stands in it is there and watched itself, for then its end is noticed.
struct ArmingView<Kernel: Inotify>: FileSystemView {
    let backend: InotifyBackend<Kernel>
    private(set) var way = WatchTable.Way()
    private(set) var added: [WatchTable.NodeID] = []
    private(set) var trouble: FileWatchReason?
    private(set) var isConfused = false
    /// The overlay at the end.
    private(set) var overlay: MountNotes.Overlay?
    /// Something was gone before it could be watched: the walk must begin again.
    private(set) var hasVanished = false
    /// The directory last looked into, if it is watched.
    private var last: (node: WatchTable.NodeID, directory: Directory)?
    /// The one looked into before that, if it is watched.
    private var above: (node: WatchTable.NodeID, directory: Directory)?
    /// The directory last looked into, if it cannot be watched.
    private var unwatched: Directory?

    init(backend: InotifyBackend<Kernel>) { self.backend = backend }

    func root() -> Directory {
        var status = stat()
        stat("/", &status)
        return Directory(path: [], inode: Inode(status))
    }

    mutating func look(for name: FileName, in directory: Directory) -> Entry {
        enter(directory)
        if let last {
            way.places.append(WatchTable.Place(directory: last.node, name: name))
        } else {
            way.unwatched.append(WatchTable.UnwatchedPlace(directory: directory.inode, name: name))
        }
        let path = directory.path(of: name)
        let mount = backend.mounts.mount(at: path.dropLast())
        if let kind = mount.flatMap({ FileSystemKind(foreign: $0.type) }) {
            trouble = trouble ?? .fileSystem(kind)
            return .foreign
        }
        var status = stat()
        let error = path.withUnsafeBytes { lstat($0.baseAddress!.assumingMemoryBound(to: CChar.self), &status) }
        guard error == 0 else { return failed(errno) }
        if mount != nil { backend.found(Inode(status), mountedAt: path.dropLast()) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory(Inode(status))
        case S_IFREG: return .file(Inode(status))
        case S_IFLNK:
            leaveUnseen()
            return readLink(path)
        default: return .other
        }
    }

    private mutating func failed(_ error: Int32) -> Entry {
        guard error != ENOENT, error != ENOTDIR else { return .missing }
        // New permissions of this directory will change the answer.
        if error == EACCES, let last, !backend.widen(last.node, last.directory), let above {
            // One that must not be entered any more can be watched no further, but the directory above tells.
            backend.widen(above.node, above.directory)
        }
        return .unknown(error)
    }

    private func readLink(_ path: [UInt8]) -> Entry {
        let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = path.withUnsafeBytes { path in
                buffer.withMemoryRebound(to: CChar.self) { buffer in
                    max(
                        0,
                        readlink(
                            path.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.baseAddress!, buffer.count))
                }
            }
        }
        return target.isEmpty ? .missing : .link(to: target)
    }
}

extension ArmingView {
    /// Watches the directory that is about to be looked into.
    private mutating func enter(_ directory: Directory) {
        let node = arm(nil, in: directory, directory.inode)
        if node == nil { leaveUnseen() }
        above = last
        last = node.map { ($0, directory) }
        unwatched = node == nil ? directory : nil
        // Mounted after the mounts were last read, or where they cannot be read.
        guard let kind = node.flatMap({ kind(of: $0) }), kind.author != .layers else { return }
        // Links that the kernel makes up lead to other places than they say.
        trouble = trouble ?? .fileSystem(kind)
        if kind.author == .others { backend.areMountsDoubtful = true }
    }

    /// Watches the file at the end, and sees whether anything is left unseen.
    mutating func finish(_ end: PathWalk.End) {
        way.isComplete = end.isComplete && last != nil
        switch end {
        case .file(let inode, let name, let directory):
            way.file = arm(name, in: directory, inode)
            if way.file != nil { unwatched = nil }
        case .unknown(ENAMETOOLONG): trouble = trouble ?? .nameTooLong()
        case .unknown(let error) where error != EACCES:
            trouble = trouble ?? .system(SystemError(number: error), "what the path leads to cannot be told")
        default: break
        }
        leaveUnseen()
        guard let kind = kind(of: end) else { return }
        if kind.author == .layers {
            let path = path(of: end)
            let hasLayersInSight = backend.hasLayersInSight(under: path)
            overlay = MountNotes.Overlay(path: path, hasLayersInSight: hasLayersInSight)
            if backend.mounts.mount(holding: path)?.type != "overlay" { backend.areMountsDoubtful = true }
            if !hasLayersInSight { return }
        }
        trouble = trouble ?? .fileSystem(kind)
    }

    private func path(of end: PathWalk.End) -> [UInt8] {
        guard case .file(_, let name, let directory) = end else { return last?.directory.path ?? [] }
        return directory.path(of: name).dropLast()
    }

    /// The kind of file system at the end, if its changes are not told.
    private func kind(of end: PathWalk.End) -> FileSystemKind? {
        // A file may be mounted by itself, from elsewhere.
        if case .file(let inode, let name, let directory) = end, inode.device != directory.inode.device {
            return FileSystemKind(blind: FileSystemKind.number(of: name, in: directory))
        }
        return last.flatMap { kind(of: $0.node) }
    }

    private func kind(of node: WatchTable.NodeID) -> FileSystemKind? {
        FileSystemKind(blind: backend.table[node]?.fileSystem ?? 0)
    }

    /// A directory is not watched, and neither is what stands in it.
    private mutating func leaveUnseen() {
        if let unwatched { trouble = trouble ?? .unreadableFolder(unwatched.description) }
    }

    private mutating func arm(_ name: FileName?, in directory: Directory, _ inode: Inode) -> WatchTable.NodeID? {
        let known = backend.table.node(of: inode)
        switch backend.arm(name, in: directory, inode) {
        case .success(let node):
            if known == nil { added.append(node) }
            return node
        case .failure(let error):
            refused(error)
            return nil
        }
    }

    private mutating func refused(_ error: SystemError) {
        switch error.number {
        case EACCES:
            if let last { backend.widen(last.node, last.directory) }
        case ENOENT, ENOTDIR:
            hasVanished = true
        case EEXIST:
            // If what has this inode is gone again by now, looking again helps; else only starting over does.
            isConfused = true
            hasVanished = true
            trouble = trouble ?? .system(error, "the kernel watches it already under another name")
        case ENOSPC: trouble = trouble ?? .watchLimit()
        default:
            trouble = trouble ?? .system(error, "the kernel refuses to watch it")
        }
    }
}
