internal import Glibc

/// What walks along paths have observed about mounts. The next change of mounts is compared with this, because the
/// mount table does not show every change.
struct MountObservations {
    /// An overlay file system that a path ends on.
    struct Overlay: Hashable {
        let path: [UInt8]
        let hasReachableLayers: Bool
    }

    /// The inodes found at mount points. A file system that is unmounted and mounted again between two reads of the
    /// table may have an identical line there.
    var inodes: [[UInt8]: Inode] = [:]
    var overlays: [PathID: Overlay] = [:]
    /// Whether a walk found something that disagrees with the mount table.
    var isMountTableStale = false
}

extension InotifyBackend {
    /// Adds to `batch` the paths that are affected by changed mounts.
    ///
    /// - Parameter paths: The mount points where another file system is mounted than before, or none.
    func mountsChanged(at paths: [[UInt8]], _ table: MountTable, in batch: inout EventBatch) {
        mounts = table
        if self.table.pathCount == 0 { return }
        for path in paths { recordMount(at: path, in: &batch) }
        for (path, inode) in observations.inodes where inodeUnlessExternal(path) != inode {
            observations.inodes[path] = nil
            recordMount(at: path, in: &batch)
        }
        recordOverlayChanges(in: &batch)
    }

    private func recordMount(at path: [UInt8], in batch: inout EventBatch) {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return table.recordAllPaths(in: &batch) }
        // Walks never enter external file systems, which may not respond.
        guard let inode = inodeUnlessExternal(Array(path[..<slash])) else { return }
        table.recordPaths(through: FileName(path[(slash + 1)...]), in: inode, &batch)
    }

    private func inodeUnlessExternal(_ path: [UInt8]) -> Inode? {
        mounts.crossesExternalMount(path[...]) ? nil : try? Inode(at: path)
    }

    /// Records which inode a walk found at a mount point. If it differs from the recorded one, the other paths through
    /// that mount point are rearmed.
    func recordInode(_ inode: Inode, mountedAt path: [UInt8]) {
        if let known = observations.inodes.updateValue(inode, forKey: path), known != inode {
            recordMount(at: path, in: &disturbed)
        }
    }
}

extension InotifyBackend {
    /// Adds the paths on overlays whose layers have become reachable or unreachable.
    private func recordOverlayChanges(in batch: inout EventBatch) {
        var results: [[UInt8]: Bool] = [:]
        for (path, overlay) in observations.overlays {
            let result = results[overlay.path] ?? hasReachableLayers(under: overlay.path)
            results[overlay.path] = result
            if result != overlay.hasReachableLayers { batch.add(path, isDirect: false, needsRearm: true) }
        }
    }

    /// Whether the layers of the overlay that holds `path` can be changed past the mount.
    func hasReachableLayers(under path: [UInt8]) -> Bool {
        mounts.hasReachableLayers(under: path) { layer in
            do throws(SystemError) { _ = try Inode(at: layer) } catch { return !error.meansMissing }
            return true
        }
    }
}

extension SystemError {
    /// Whether the path exists for no process.
    fileprivate var meansMissing: Bool { number == ENOENT || number == ENOTDIR }
}
