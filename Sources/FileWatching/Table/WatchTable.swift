/// Which of the kernel's watches serve which paths: pure bookkeeping, without the kernel.
///
/// A *node* is a watched inode. A directory's node knows by name which paths lead through that name, so that what
/// happens beside them costs one look-up and thousands of files share the watch of their folder; a file's node knows
/// the paths that end there. One event costs what it concerns, however many nodes there are.
struct WatchTable {
    struct NodeID: Hashable, Sendable {
        let number: Int
    }

    /// A name in a watched directory.
    struct Place: Hashable, Sendable {
        let directory: NodeID
        let name: FileName
    }

    /// A name in a directory that cannot be watched: only mounts are heard of there.
    struct UnwatchedPlace: Hashable, Sendable {
        let directory: Inode
        let name: FileName
    }

    /// What serves one path.
    struct Way: Equatable, Sendable {
        /// The places that the path leads through, in its order.
        var places: [Place] = []
        var unwatched: [UnwatchedPlace] = []
        /// The file at its end, if there is one that can be watched.
        var file: NodeID?
        /// Whether the last place is the file's own name.
        var isComplete = false
    }

    struct Node {
        fileprivate(set) var inode: Inode
        fileprivate(set) var watch: Watch
        fileprivate(set) var isWide = false
        /// The number of the directory's file system.
        let fileSystem: UInt32
        fileprivate var passing: [FileName: PathSet] = [:]
        fileprivate var ending = PathSet()

        fileprivate var isUnneeded: Bool { passing.isEmpty && ending.isEmpty }

        fileprivate func visitPaths(_ body: (PathID) -> Void) {
            for paths in passing.values { paths.visit(body) }
            ending.visit(body)
        }
    }

    private var nodes: [NodeID: Node] = [:]
    private var byInode: [Inode: NodeID] = [:]
    private var byWatch: [Watch: NodeID] = [:]
    private var ways: [PathID: Way] = [:]
    private var unwatched: [UnwatchedPlace: PathSet] = [:]
    private var nextNode = 0

    var count: Int { nodes.count }
    var pathCount: Int { ways.count }

    subscript(node: NodeID) -> Node? { nodes[node] }

    func node(of inode: Inode) -> NodeID? { byInode[inode] }
    func node(of watch: Watch) -> NodeID? { byWatch[watch] }

    func isUnneeded(_ node: NodeID) -> Bool { nodes[node]?.isUnneeded ?? false }
}

extension WatchTable {
    mutating func insert(_ watch: Watch, of inode: Inode, fileSystem: UInt32 = 0) -> NodeID {
        let node = NodeID(number: nextNode)
        nextNode += 1
        nodes[node] = Node(inode: inode, watch: watch, fileSystem: fileSystem)
        byInode[inode] = node
        byWatch[watch] = node
        return node
    }

    /// Takes note that the kernel watches the node under another number, for more kinds of events.
    mutating func widen(_ node: NodeID, _ watch: Watch) {
        guard let old = nodes[node]?.watch else { return }
        byWatch[old] = nil
        byWatch[watch] = node
        nodes[node]!.watch = watch
        nodes[node]!.isWide = true
    }

    /// Takes note that the node is of another inode than it was thought to be of.
    mutating func correct(_ node: NodeID, _ inode: Inode) {
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

    /// Takes note of the way that serves the path now; returns whether it is another one than before, and the nodes
    /// that nobody needs any more.
    mutating func set(_ way: Way, of path: PathID) -> (isNew: Bool, unneeded: [NodeID]) {
        let old = ways.updateValue(way, forKey: path) ?? Way()
        guard old != way else { return (false, []) }
        for place in way.places { nodes[place.directory]?.passing[place.name, default: PathSet()].insert(path) }
        if let file = way.file { nodes[file]?.ending.insert(path) }
        for place in old.unwatched { leave(place, path) }
        for place in way.unwatched { unwatched[place, default: PathSet()].insert(path) }
        let kept = Set(way.places)
        for place in old.places where !kept.contains(place) { leave(place, path) }
        if let file = old.file, file != way.file { nodes[file]?.ending.remove(path) }
        return (true, unneeded(among: old))
    }

    /// Forgets the path; returns the nodes that nobody needs any more.
    mutating func forget(_ path: PathID) -> [NodeID] {
        guard let old = ways.removeValue(forKey: path) else { return [] }
        for place in old.places { leave(place, path) }
        for place in old.unwatched { leave(place, path) }
        if let file = old.file { nodes[file]?.ending.remove(path) }
        return unneeded(among: old)
    }

    private mutating func leave(_ place: UnwatchedPlace, _ path: PathID) {
        unwatched[place]?.remove(path)
        if unwatched[place]?.isEmpty == true { unwatched[place] = nil }
    }

    private mutating func leave(_ place: Place, _ path: PathID) {
        guard let index = nodes[place.directory]?.passing.index(forKey: place.name) else { return }
        nodes[place.directory]!.passing.values[index].remove(path)
        if nodes[place.directory]!.passing.values[index].isEmpty { nodes[place.directory]!.passing.remove(at: index) }
    }

    private func unneeded(among way: Way) -> [NodeID] {
        var result: [NodeID] = []
        for node in way.places.map(\.directory) + (way.file.map { [$0] } ?? []) {
            if isUnneeded(node), !result.contains(node) { result.append(node) }
        }
        return result
    }
}

extension WatchTable {
    /// Notes in `batch` which paths an event concerns. A watch that the kernel has ended is forgotten.
    mutating func note(_ event: InotifyEvent, in batch: inout Batch) {
        guard let id = byWatch[event.watch], let node = nodes[id] else { return }
        if event.mask.isOfMovedFolder { batch.haveFoldersMoved = true }
        let mayLeadElsewhere = !event.mask.isSubset(of: [.modified, .closedByWriter])
        if let name = event.name {
            let place = Place(directory: id, name: name)
            node.passing[name]?.visit { path in
                let isDirect = ways[path].map { $0.isComplete && $0.places.last == place } ?? false
                batch.touch(path, isDirect: isDirect, needsArming: mayLeadElsewhere)
            }
        } else {
            for paths in node.passing.values {
                paths.visit { batch.touch($0, isDirect: false, needsArming: true) }
            }
            node.ending.visit { batch.touch($0, isDirect: true, needsArming: mayLeadElsewhere) }
        }
        if event.mask.contains(.ignored) { remove(id) }
    }

    /// Notes every path that leads through a name in a directory, watched or not, as one that may lead elsewhere now.
    func notePassing(_ name: FileName, in directory: Inode, _ batch: inout Batch) {
        let watched = byInode[directory].flatMap { nodes[$0]?.passing[name] }
        for paths in [watched, unwatched[UnwatchedPlace(directory: directory, name: name)]] {
            paths?.visit { batch.touch($0, isDirect: false, needsArming: true) }
        }
    }

    /// Notes every path as one that may lead elsewhere now.
    func noteAll(in batch: inout Batch) {
        for path in ways.keys { batch.touch(path, isDirect: false, needsArming: true) }
    }

    /// Notes every path that a node serves as one that may lead elsewhere now.
    func noteAll(of node: NodeID, in batch: inout Batch) {
        nodes[node]?.visitPaths { batch.touch($0, isDirect: false, needsArming: true) }
    }
}
