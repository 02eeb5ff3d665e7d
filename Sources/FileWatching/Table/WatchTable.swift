/// Records which inotify watches serve which paths. This is pure bookkeeping, without system calls.
///
/// A *node* is a watched inode. The node of a directory maps names to the paths that lead through them, so an event of
/// another name costs one lookup, and thousands of files share the watch of their directory. The node of a file has the
/// paths that end there. The cost of an event depends on the paths that it affects, not on the number of nodes.
struct WatchTable {
    struct NodeID: Hashable, Sendable {
        let number: Int
    }

    /// A name in a watched directory.
    struct WatchedName: Hashable, Sendable {
        let directory: NodeID
        let name: FileName
    }

    /// A name in a directory that cannot be watched. Only changes of mounts are reported there.
    struct UnwatchedName: Hashable, Sendable {
        let directory: Inode
        let name: FileName
    }

    /// The watches that serve one path.
    struct PathWatches: Equatable, Sendable {
        /// The names that the path leads through, in its order.
        var names: [WatchedName] = []
        var unwatchedNames: [UnwatchedName] = []
        /// The file at the end of the path, if it exists and can be watched.
        var file: NodeID?
        /// Whether the last of the names is that of the file.
        var isComplete = false
    }

    struct Node {
        fileprivate(set) var inode: Inode
        fileprivate(set) var watch: WatchDescriptor
        /// Whether a directory is also watched for writes and permissions of its entries.
        fileprivate(set) var hasWideMask = false
        /// The `statfs` type of the directory's file system.
        let statfsType: UInt32
        /// The paths that lead through each name of the directory.
        fileprivate var pathsByName: [FileName: PathSet] = [:]
        /// The paths that end on the file.
        fileprivate var endingPaths = PathSet()

        fileprivate var isUnused: Bool { pathsByName.isEmpty && endingPaths.isEmpty }

        fileprivate func visitPaths(_ body: (PathID) -> Void) {
            for paths in pathsByName.values { paths.visit(body) }
            endingPaths.visit(body)
        }
    }

    private var nodes: [NodeID: Node] = [:]
    private var byInode: [Inode: NodeID] = [:]
    private var byWatch: [WatchDescriptor: NodeID] = [:]
    private var watchesByPath: [PathID: PathWatches] = [:]
    private var unwatched: [UnwatchedName: PathSet] = [:]
    private var nextNode = 0

    var count: Int { nodes.count }
    var pathCount: Int { watchesByPath.count }

    subscript(node: NodeID) -> Node? { nodes[node] }

    func node(of inode: Inode) -> NodeID? { byInode[inode] }
    func node(of watch: WatchDescriptor) -> NodeID? { byWatch[watch] }

    func isUnused(_ node: NodeID) -> Bool { nodes[node]?.isUnused ?? false }
}

extension WatchTable {
    mutating func insert(_ watch: WatchDescriptor, of inode: Inode, statfsType: UInt32 = 0) -> NodeID {
        let node = NodeID(number: nextNode)
        nextNode += 1
        nodes[node] = Node(inode: inode, watch: watch, statfsType: statfsType)
        byInode[inode] = node
        byWatch[watch] = node
        return node
    }

    /// Records that a new watch with the wide mask has replaced the one of a directory.
    mutating func setWideMask(of node: NodeID, _ watch: WatchDescriptor) {
        guard let old = nodes[node]?.watch else { return }
        byWatch[old] = nil
        byWatch[watch] = node
        nodes[node]!.watch = watch
        nodes[node]!.hasWideMask = true
    }

    /// Corrects the inode of a node.
    mutating func setInode(of node: NodeID, _ inode: Inode) {
        guard let old = nodes[node]?.inode else { return }
        if byInode[old] == node { byInode[old] = nil }
        byInode[inode] = node
        nodes[node]!.inode = inode
    }

    mutating func remove(_ node: NodeID) {
        guard let removed = nodes.removeValue(forKey: node) else { return }
        byWatch[removed.watch] = nil
        if byInode[removed.inode] == node { byInode[removed.inode] = nil }
    }

    /// Replaces the watches of a path. Returns whether they differ from those before, and the nodes that have become
    /// unused.
    mutating func set(_ watches: PathWatches, of path: PathID) -> (isChanged: Bool, unused: [NodeID]) {
        let old = watchesByPath.updateValue(watches, forKey: path) ?? PathWatches()
        guard old != watches else { return (false, []) }
        if let file = watches.file { nodes[file]?.endingPaths.insert(path) }
        if let file = old.file, file != watches.file { nodes[file]?.endingPaths.remove(path) }
        // A file that was replaced is found through the same names.
        if old.names == watches.names, old.unwatchedNames == watches.unwatchedNames {
            return (true, old.file.map { isUnused($0) ? [$0] : [] } ?? [])
        }
        for entry in watches.names { nodes[entry.directory]?.pathsByName[entry.name, default: PathSet()].insert(path) }
        for entry in old.unwatchedNames { remove(path, from: entry) }
        for entry in watches.unwatchedNames { unwatched[entry, default: PathSet()].insert(path) }
        let kept = Set(watches.names)
        for entry in old.names where !kept.contains(entry) { remove(path, from: entry) }
        return (true, unusedNodes(of: old))
    }

    /// Removes a path. Returns the nodes that have become unused.
    mutating func remove(_ path: PathID) -> [NodeID] {
        guard let old = watchesByPath.removeValue(forKey: path) else { return [] }
        for entry in old.names { remove(path, from: entry) }
        for entry in old.unwatchedNames { remove(path, from: entry) }
        if let file = old.file { nodes[file]?.endingPaths.remove(path) }
        return unusedNodes(of: old)
    }

    private mutating func remove(_ path: PathID, from entry: UnwatchedName) {
        unwatched[entry]?.remove(path)
        if unwatched[entry]?.isEmpty == true { unwatched[entry] = nil }
    }

    private mutating func remove(_ path: PathID, from entry: WatchedName) {
        guard let index = nodes[entry.directory]?.pathsByName.index(forKey: entry.name) else { return }
        nodes[entry.directory]!.pathsByName.values[index].remove(path)
        if nodes[entry.directory]!.pathsByName.values[index].isEmpty {
            nodes[entry.directory]!.pathsByName.remove(at: index)
        }
    }

    private func unusedNodes(of watches: PathWatches) -> [NodeID] {
        var result: [NodeID] = []
        for node in watches.names.map(\.directory) + (watches.file.map { [$0] } ?? []) {
            if isUnused(node), !result.contains(node) { result.append(node) }
        }
        return result
    }
}

extension WatchTable {
    /// Adds the paths that an event affects to `batch`. Removes the node of a watch that the kernel has ended.
    mutating func record(_ event: InotifyEvent, in batch: inout EventBatch) {
        guard let id = byWatch[event.watch], let node = nodes[id] else { return }
        if event.mask.isOfMovedDirectory { batch.hasMovedDirectory = true }
        let mayLeadElsewhere = !event.mask.isSubset(of: [.modified, .closedByWriter])
        if let name = event.name {
            let entry = WatchedName(directory: id, name: name)
            node.pathsByName[name]?.visit { path in
                let isDirect = watchesByPath[path].map { $0.isComplete && $0.names.last == entry } ?? false
                batch.add(path, isDirect: isDirect, needsRearm: mayLeadElsewhere)
            }
        } else {
            for paths in node.pathsByName.values {
                paths.visit { batch.add($0, isDirect: false, needsRearm: true) }
            }
            node.endingPaths.visit { batch.add($0, isDirect: true, needsRearm: mayLeadElsewhere) }
        }
        if event.mask.contains(.ignored) { remove(id) }
    }

    /// Adds the paths that lead through a name in a directory, watched or not, to be rearmed.
    func recordPaths(through name: FileName, in directory: Inode, _ batch: inout EventBatch) {
        let watched = byInode[directory].flatMap { nodes[$0]?.pathsByName[name] }
        for paths in [watched, unwatched[UnwatchedName(directory: directory, name: name)]] {
            paths?.visit { batch.add($0, isDirect: false, needsRearm: true) }
        }
    }

    /// Adds all paths, to be rearmed.
    func recordAllPaths(in batch: inout EventBatch) {
        for path in watchesByPath.keys { batch.add(path, isDirect: false, needsRearm: true) }
    }

    /// Adds the paths that a node serves, to be rearmed.
    func recordAllPaths(of node: NodeID, in batch: inout EventBatch) {
        nodes[node]?.visitPaths { batch.add($0, isDirect: false, needsRearm: true) }
    }
}
