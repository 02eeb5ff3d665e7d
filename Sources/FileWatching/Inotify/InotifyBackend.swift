internal import Glibc
internal import Locking

/// Watches paths with inotify: each directory and symbolic link that a path leads through is watched in its parent
/// directory, and the file itself by its inode.
///
/// A directory is watched before a name is looked up in it, so that no change is missed in between. Watches are shared:
/// a thousand files in one directory cost one watch each and one for the directory.
///
/// Only the thread that runs the loop uses it.
final class InotifyBackend {
    let inotify: any Inotify
    private(set) var table = WatchTable()
    var mounts = MountTable()
    var observations = MountObservations()
    private var pendingEvents: [InotifyEvent] = []
    /// Paths that may have missed events while a watch was replaced. They are reported with the next batch.
    var disturbed = EventBatch()
    private var mayHaveMore = false
    private var deferredRemovals = DeferredRemovals()

    /// The most events that are collected before their handlers run.
    private static let eventLimit = 4096

    init(_ inotify: any Inotify) { self.inotify = inotify }

    var kind: FileWatchBackend { inotify.backend }
    /// Why the preferred implementation is not used; nil if it is.
    var fallbackReason: FileWatchReason? { inotify.fallbackReason }
    /// The descriptor to poll for events; -1 if there is none.
    var descriptor: Int32 { inotify.descriptor }
    /// Whether something was found that disagrees with the mount table.
    var isMountTableStale: Bool {
        get { observations.isMountTableStale }
        set { observations.isMountTableStale = newValue }
    }
    /// Whether there may be events that the descriptor does not show.
    var hasMore: Bool { mayHaveMore || !pendingEvents.isEmpty || !disturbed.changes.isEmpty }
    /// When deferred removals are due.
    var deadline: Instant? { deferredRemovals.deadline }
    var kernelWatches: Int { table.count }
    var staleRecords: Int { inotify.staleRecords }

    /// Adds the pending events to `batch`.
    func collect(into batch: inout EventBatch) {
        guard inotify.descriptor >= 0 else { return }
        mayHaveMore = inotify.collect(Self.eventLimit, &pendingEvents)
        for event in pendingEvents { record(event, in: &batch) }
        pendingEvents.removeAll(keepingCapacity: pendingEvents.count < 64)
        for change in disturbed.changes {
            batch.add(change.path, isDirect: change.isDirect, needsRearm: change.needsRearm)
        }
        disturbed = EventBatch()
        if inotify.hasTooManyStaleRecords { batch.needsRestart = true }
    }

    private func record(_ event: InotifyEvent, in batch: inout EventBatch) {
        guard event.mask.contains(.overflow) else { return table.record(event, in: &batch) }
        batch.overflows += 1
        // One of the dropped events may have been the end of a watch.
        batch.needsRestart = true
    }

    func stop() {
        if inotify.descriptor >= 0 { inotify.stop() }
    }
}

extension InotifyBackend {
    /// Watches what the path leads through now, instead of what it led through before.
    func arm(_ id: PathID, _ path: String) -> ArmResult {
        if let reason = startIfNeeded() { return ArmResult(pollingReason: reason) }
        var (view, added) = walk(path)
        for _ in 0..<4 where view.hasVanished {
            let next = walk(path)
            view = next.view
            added += next.added
        }
        let (isChanged, unused) = table.set(view.watches, of: id)
        drop(unused + added)
        observations.overlays[id] = view.overlay
        return ArmResult(isChanged: isChanged, pollingReason: view.pollingReason, needsRestart: view.needsRestart)
    }

    private func walk(_ path: String) -> (view: ArmingView, added: [WatchTable.NodeID]) {
        var view = ArmingView(backend: self)
        var walk = PathWalk(path)
        view.finish(walk.run(in: &view))
        return (view, view.added)
    }

    func remove(_ path: PathID) {
        drop(table.remove(path))
        observations.overlays[path] = nil
    }

    /// Drops all watches and starts again with no path armed. Returns the reason if that fails.
    ///
    /// - Parameter isDescriptorLost: Whether other code has closed the descriptor.
    func restart(isDescriptorLost: Bool) -> FileWatchReason? {
        if isDescriptorLost { inotify.descriptorLost() } else { stop() }
        table = WatchTable()
        observations = MountObservations()
        deferredRemovals = DeferredRemovals()
        pendingEvents = []
        disturbed = EventBatch()
        mayHaveMore = false
        return startIfNeeded()
    }

    private func startIfNeeded() -> FileWatchReason? {
        guard inotify.descriptor < 0 else { return nil }
        do throws(FileWatchReason) { try inotify.start() } catch { return error }
        return nil
    }
}

extension InotifyBackend {
    /// Removes the watches of unused nodes, or defers that.
    private func drop(_ nodes: [WatchTable.NodeID]) {
        for id in nodes {
            guard let node = table[id], table.isUnused(id) else { continue }
            if inotify.remove(node.watch, of: node.inode, &pendingEvents) {
                table.remove(id)
            } else {
                deferredRemovals.insert(id, until: .now + Instant.nanosecondsPerSecond)
            }
        }
    }

    /// Performs deferred removals that are due.
    func performDeferredRemovals(_ now: Instant) {
        for id in deferredRemovals.takeDue(now) {
            guard let node = table[id], table.isUnused(id) else { continue }
            inotify.removeNow(node.watch)
            table.remove(id)
        }
    }

    /// Watches a directory, or a file in it; or returns the node that already watches it.
    func watch(_ name: FileName?, in directory: ResolvedDirectory, _ inode: Inode) -> Result<
        WatchTable.NodeID, SystemError
    > {
        if let node = table.node(of: inode) { return .success(node) }
        switch inotify.add(name, in: directory, name == nil ? .directory : .file) {
        case .success(let watch):
            let statfsType = name == nil ? FileSystemKind.statfsType(in: directory) : 0
            return .success(table.insert(watch, of: inode, statfsType: statfsType))
        case .failure(let error):
            guard error.number == EEXIST, let node = correctNode(of: inode) else { return .failure(error) }
            return .success(node)
        }
    }

    /// Repairs the table if the kernel already watches the inode, which the table records as another one: a file was
    /// replaced between the lookup and the watch. The other paths of the node are rearmed.
    private func correctNode(of inode: Inode) -> WatchTable.NodeID? {
        let nodes = inotify.watches(ofInodesNumbered: inode.number).compactMap { table.node(of: $0) }
        guard let node = nodes.first(where: { table[$0]?.inode.number != inode.number }) else { return nil }
        table.recordAllPaths(of: node, in: &disturbed)
        table.setInode(of: node, inode)
        return node
    }

    /// Extends the watch of a directory to writes and permissions of its entries, for an entry that cannot be watched
    /// itself. Returns whether the directory is watched that way now.
    @discardableResult
    func widenMask(of id: WatchTable.NodeID, _ directory: ResolvedDirectory) -> Bool {
        guard let node = table[id] else { return false }
        if node.hasWideMask { return true }
        guard inotify.remove(node.watch, of: node.inode, &pendingEvents) else { return false }
        switch inotify.add(nil, in: directory, .directoryAndContents) {
        case .success(let watch):
            table.setWideMask(of: id, watch)
            table.recordAllPaths(of: id, in: &disturbed)
            return true
        case .failure:
            table.recordAllPaths(of: id, in: &disturbed)
            table.remove(id)
            return false
        }
    }
}

/// Unused watches of inodes that are perhaps being deleted. The kernel ends such a watch itself; otherwise it is
/// removed when its time has come.
struct DeferredRemovals {
    private var pending: [(node: WatchTable.NodeID, due: Instant)] = []

    var deadline: Instant? { pending.first?.due }

    mutating func insert(_ node: WatchTable.NodeID, until due: Instant) { pending.append((node, due)) }

    /// Returns and removes the nodes that are due, in the order of their insertion.
    mutating func takeDue(_ now: Instant) -> [WatchTable.NodeID] {
        let due = pending.prefix { $0.due <= now }
        pending.removeFirst(due.count)
        return due.map(\.node)
    }
}
