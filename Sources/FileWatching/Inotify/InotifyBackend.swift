internal import Glibc
internal import Locking

/// Follows paths with inotify: every directory and every symbolic link on the way is watched in the directory that
/// holds it, and the file itself by its inode.
///
/// A directory is watched before anything is looked for in it, so that no change slips between; and watches are shared,
/// so that a thousand files of a folder cost one watch each and one for the folder.
final class InotifyBackend<Kernel: Inotify>: PathBackend {
    var kernel: Kernel
    private(set) var table = WatchTable()
    var mounts = MountTable()
    var notes = MountNotes()
    private var waiting: [InotifyEvent] = []
    /// Paths that lost events for a moment, to be told with the next batch.
    var disturbed = Batch()
    private var mayHoldMore = false
    private var retired = RetiredWatches()

    /// So many events are taken before their handlers run, at most.
    private static var eventsAtOnce: Int { 4096 }

    init(_ kernel: Kernel) { self.kernel = kernel }

    var kind: FileWatchBackend { kernel.backend }
    var detour: FileWatchReason? { kernel.detour }
    var descriptor: Int32 { kernel.descriptor }
    var areMountsDoubtful: Bool {
        get { notes.areDoubtful }
        set { notes.areDoubtful = newValue }
    }
    var hasMore: Bool { mayHoldMore || !waiting.isEmpty || !disturbed.touches.isEmpty }
    var deadline: Moment? { retired.deadline }
    var load: BackendLoad { BackendLoad(kernelWatches: table.count, staleRecords: kernel.staleRecords) }

    func collect(into batch: inout Batch) {
        guard kernel.descriptor >= 0 else { return }
        mayHoldMore = kernel.collect(Self.eventsAtOnce, &waiting)
        for event in waiting { note(event, in: &batch) }
        waiting.removeAll(keepingCapacity: waiting.count < 64)
        for touch in disturbed.touches {
            batch.touch(touch.path, isDirect: touch.isDirect, needsArming: touch.needsArming)
        }
        disturbed = Batch()
        if kernel.isCrowded { batch.mustStartOver = true }
    }

    private func note(_ event: InotifyEvent, in batch: inout Batch) {
        guard event.mask.contains(.overflow) else { return table.note(event, in: &batch) }
        batch.overflows += 1
        // What the kernel dropped may have been the end of a watch.
        batch.mustStartOver = true
    }

    func stop() {
        if kernel.descriptor >= 0 { kernel.stop() }
    }
}

extension InotifyBackend {
    func follow(_ path: PathID, _ text: String) -> Following {
        if let trouble = startIfNeeded() { return Following(trouble: trouble) }
        var (view, added) = arm(text)
        for _ in 0..<4 where view.hasVanished {
            let again = arm(text)
            view = again.view
            added += again.added
        }
        let (isNew, unneeded) = table.set(view.way, of: path)
        drop(unneeded + added)
        notes.overlays[path] = view.overlay
        return Following(isNew: isNew, trouble: view.trouble, isConfused: view.isConfused)
    }

    private func arm(_ text: String) -> (view: ArmingView<Kernel>, added: [WatchTable.NodeID]) {
        var view = ArmingView(backend: self)
        var walk = PathWalk(text)
        view.finish(walk.run(in: &view))
        return (view, view.added)
    }

    func forget(_ path: PathID) {
        drop(table.forget(path))
        notes.overlays[path] = nil
    }

    func startOver(isLost: Bool) -> FileWatchReason? {
        if isLost { kernel.lost() } else { stop() }
        table = WatchTable()
        notes = MountNotes()
        retired = RetiredWatches()
        waiting = []
        disturbed = Batch()
        mayHoldMore = false
        return startIfNeeded()
    }

    private func startIfNeeded() -> FileWatchReason? {
        guard kernel.descriptor < 0 else { return nil }
        do throws(FileWatchReason) { try kernel.start() } catch { return error }
        return nil
    }
}

extension InotifyBackend {
    /// Ends watches that nobody needs, or puts that off.
    private func drop(_ nodes: [WatchTable.NodeID]) {
        for id in nodes {
            guard let node = table[id], table.isUnneeded(id) else { continue }
            if kernel.remove(node.watch, of: node.inode, &waiting) {
                table.remove(id)
            } else {
                retired.insert(id, until: .now + Moment.second)
            }
        }
    }

    func settle(_ now: Moment) {
        for id in retired.takeDue(now) {
            guard let node = table[id], table.isUnneeded(id) else { continue }
            kernel.removeAtOnce(node.watch)
            table.remove(id)
        }
    }

    /// Watches a directory, or a file in it, or shares the watch that is there.
    func arm(_ name: FileName?, in directory: Directory, _ inode: Inode) -> Result<WatchTable.NodeID, SystemError> {
        if let node = table.node(of: inode) { return .success(node) }
        switch kernel.add(name, in: directory, name == nil ? .directory : .file) {
        case .success(let watch):
            let fileSystem = name == nil ? FileSystemKind.number(in: directory) : 0
            return .success(table.insert(watch, of: inode, fileSystem: fileSystem))
        case .failure(let error):
            guard error.number == EEXIST, let node = correctNode(of: inode) else { return .failure(error) }
            return .success(node)
        }
    }

    /// The kernel watches the inode already, so that a node must be noted for another one: a file was replaced between
    /// looking at it and watching it. What else is thought to be served by the node is followed anew.
    private func correctNode(of inode: Inode) -> WatchTable.NodeID? {
        let nodes = kernel.watches(ofInodesNumbered: inode.number).compactMap { table.node(of: $0) }
        guard let node = nodes.first(where: { table[$0]?.inode.number != inode.number }) else { return nil }
        table.noteAll(of: node, in: &disturbed)
        table.correct(node, inode)
        return node
    }

    /// Has a directory tell of what is written to its files and of new permissions too, for one that cannot be watched;
    /// returns whether it does.
    @discardableResult
    func widen(_ id: WatchTable.NodeID, _ directory: Directory) -> Bool {
        guard let node = table[id] else { return false }
        if node.isWide { return true }
        guard kernel.remove(node.watch, of: node.inode, &waiting) else { return false }
        switch kernel.add(nil, in: directory, .directoryAndContents) {
        case .success(let watch):
            table.widen(id, watch)
            table.noteAll(of: id, in: &disturbed)
            return true
        case .failure:
            table.noteAll(of: id, in: &disturbed)
            table.remove(id)
            return false
        }
    }
}

/// Watches that nobody needs, of inodes that are perhaps about to end: the kernel tells of that, or the time comes.
struct RetiredWatches {
    private var waiting: [(node: WatchTable.NodeID, until: Moment)] = []

    var deadline: Moment? { waiting.first?.until }

    mutating func insert(_ node: WatchTable.NodeID, until moment: Moment) { waiting.append((node, moment)) }

    /// Those whose time has come, in the order in which they were put off.
    mutating func takeDue(_ now: Moment) -> [WatchTable.NodeID] {
        let due = waiting.prefix { $0.until <= now }
        waiting.removeFirst(due.count)
        return due.map(\.node)
    }
}
