internal import CLinux
internal import Glibc

/// A view of the real file system that watches each directory before it looks a name up in it.
///
/// It records which watches serve the path, and why changes may go undetected. A directory that is not readable cannot
/// be watched. That does no harm while the entry that the path leads through exists and is watched itself, because its
/// removal is then reported.
struct ArmingView: FileSystemView {
    let backend: InotifyBackend
    private(set) var watches = WatchTable.PathWatches()
    /// The nodes that were added to the table.
    private(set) var added: [WatchTable.NodeID] = []
    private(set) var pollingReason: FileWatchReason?
    /// Whether the kernel's watches differ from the recorded ones.
    private(set) var needsRestart = false
    /// The overlay that the path ends on.
    private(set) var overlay: MountObservations.Overlay?
    /// Whether something was removed before it could be watched, so that the walk must be repeated.
    private(set) var hasVanished = false
    /// The directory of the last lookup, if it is watched.
    private var last: (node: WatchTable.NodeID, directory: ResolvedDirectory)?
    /// The directory of the lookup before that, if it is watched.
    private var previous: (node: WatchTable.NodeID, directory: ResolvedDirectory)?
    /// The directory of the last lookup, if it cannot be watched.
    private var unwatched: ResolvedDirectory?

    init(backend: InotifyBackend) { self.backend = backend }

    func root() -> ResolvedDirectory {
        var status = stat()
        stat("/", &status)
        return ResolvedDirectory(path: [], inode: Inode(status))
    }

    mutating func lookUp(_ name: FileName, in directory: ResolvedDirectory) -> DirectoryEntry {
        enter(directory)
        if let last {
            watches.names.append(WatchTable.WatchedName(directory: last.node, name: name))
        } else {
            watches.unwatchedNames.append(WatchTable.UnwatchedName(directory: directory.inode, name: name))
        }
        let path = directory.path(of: name)
        let mount = backend.mounts.mount(at: path.dropLast())
        if let kind = mount?.externalKind {
            pollingReason = pollingReason ?? .fileSystem(kind)
            return .external
        }
        var status = stat()
        let error = path.withUnsafeBytes { lstat($0.baseAddress!.assumingMemoryBound(to: CChar.self), &status) }
        guard error == 0 else { return lookupFailed(errno) }
        if mount != nil { backend.recordInode(Inode(status), mountedAt: path.dropLast()) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory(Inode(status))
        case S_IFREG: return .file(Inode(status))
        case S_IFLNK:
            checkUnwatchedDirectory()
            return readLink(path)
        default: return .other
        }
    }

    private mutating func lookupFailed(_ error: Int32) -> DirectoryEntry {
        guard error != ENOENT, error != ENOTDIR else { return .missing }
        // New permissions of this directory change the result, so they must be watched.
        if error == EACCES, let last, !backend.widenMask(of: last.node, last.directory), let previous {
            // A directory without search permission cannot be watched again, but its parent reports the change.
            backend.widenMask(of: previous.node, previous.directory)
        }
        return .unknown(error)
    }

    private func readLink(_ path: [UInt8]) -> DirectoryEntry {
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
    /// Watches the directory of the next lookup.
    private mutating func enter(_ directory: ResolvedDirectory) {
        let node = watch(nil, in: directory, directory.inode)
        if node == nil { checkUnwatchedDirectory() }
        previous = last
        last = node.map { ($0, directory) }
        unwatched = node == nil ? directory : nil
        // The mount table does not show a mount made since it was read, or anything if it is not readable.
        guard let kind = node.flatMap({ kind(of: $0) }), kind.changeSource != .layers else { return }
        // Links that the kernel generates lead to other places than they say.
        pollingReason = pollingReason ?? .fileSystem(kind)
        if kind.changeSource == .external { backend.isMountTableStale = true }
    }

    /// Watches the file at the end of the path and completes the polling reason.
    mutating func finish(_ end: PathWalk.End) {
        watches.isComplete = end.isComplete && last != nil
        switch end {
        case .file(let inode, let name, let directory):
            watches.file = watch(name, in: directory, inode)
            if watches.file != nil { unwatched = nil }
        case .unknown(ENAMETOOLONG): pollingReason = pollingReason ?? .nameTooLong()
        case .unknown(let error) where error != EACCES:
            pollingReason = pollingReason ?? .system(SystemError(number: error), "the path cannot be resolved")
        default: break
        }
        checkUnwatchedDirectory()
        guard let kind = kind(of: end) else { return }
        if kind.changeSource == .layers {
            let path = path(of: end)
            let hasReachableLayers = backend.hasReachableLayers(under: path)
            overlay = MountObservations.Overlay(path: path, hasReachableLayers: hasReachableLayers)
            if backend.mounts.mount(holding: path)?.type != "overlay" { backend.isMountTableStale = true }
            if !hasReachableLayers { return }
        }
        pollingReason = pollingReason ?? .fileSystem(kind)
    }

    private func path(of end: PathWalk.End) -> [UInt8] {
        guard case .file(_, let name, let directory) = end else { return last?.directory.path ?? [] }
        return directory.path(of: name).dropLast()
    }

    /// The kind of the file system at the end of the path, if the kernel does not report all of its changes.
    private func kind(of end: PathWalk.End) -> FileSystemKind? {
        // A single file may be mounted from another file system.
        if case .file(let inode, let name, let directory) = end, inode.device != directory.inode.device {
            return FileSystemKind(statfsType: FileSystemKind.statfsType(of: name, in: directory))
        }
        return last.flatMap { kind(of: $0.node) }
    }

    private func kind(of node: WatchTable.NodeID) -> FileSystemKind? {
        FileSystemKind(statfsType: backend.table[node]?.statfsType ?? 0)
    }

    /// Sets the polling reason if neither the last directory nor its entry is watched.
    private mutating func checkUnwatchedDirectory() {
        if let unwatched { pollingReason = pollingReason ?? .unreadableDirectory(unwatched.description) }
    }

    private mutating func watch(_ name: FileName?, in directory: ResolvedDirectory, _ inode: Inode) -> WatchTable
        .NodeID?
    {
        let known = backend.table.node(of: inode)
        switch backend.watch(name, in: directory, inode) {
        case .success(let node):
            if known == nil { added.append(node) }
            return node
        case .failure(let error):
            watchFailed(error)
            return nil
        }
    }

    private mutating func watchFailed(_ error: SystemError) {
        switch error.number {
        case EACCES:
            if let last { backend.widenMask(of: last.node, last.directory) }
        case ENOENT, ENOTDIR:
            hasVanished = true
        case EEXIST:
            // If the watched inode no longer exists, repeating the walk helps. Otherwise only a restart does.
            needsRestart = true
            hasVanished = true
            pollingReason = pollingReason ?? .system(error, "the kernel already watches it under another name")
        case ENOSPC: pollingReason = pollingReason ?? .watchLimit()
        default:
            pollingReason = pollingReason ?? .system(error, "the kernel refuses to watch it")
        }
    }
}
