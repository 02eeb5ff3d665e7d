import Glibc
import TestSupport
import Testing

@testable import FileWatching

@Suite struct WatchTableTests {
    private var table = WatchTable()
    private let folder: WatchTable.NodeID
    private let file: WatchTable.NodeID
    private let first = PathID(number: 1)
    private let second = PathID(number: 2)

    init() {
        folder = table.insert(WatchDescriptor(number: 1), of: Inode(device: 1, number: 10))
        file = table.insert(WatchDescriptor(number: 2), of: Inode(device: 1, number: 20))
    }

    private func watches(_ name: FileName, file: WatchTable.NodeID? = nil, isComplete: Bool = true)
        -> WatchTable.PathWatches
    {
        WatchTable.PathWatches(names: [.init(directory: folder, name: name)], file: file, isComplete: isComplete)
    }

    private func event(_ watch: Int32, _ mask: Int32, _ name: FileName? = nil) -> InotifyEvent {
        InotifyEvent(
            watch: WatchDescriptor(number: watch), mask: InotifyMask(rawValue: UInt32(bitPattern: mask)), name: name)
    }

    private mutating func changes(_ events: InotifyEvent...) -> [EventBatch.PathChange] {
        var batch = EventBatch()
        for event in events { table.record(event, in: &batch) }
        return batch.changes
    }

    @Test("A write to a file is a direct change of its paths without a rearm")
    mutating func write() {
        _ = table.set(watches("a", file: file), of: first)
        #expect(changes(event(2, IN_MODIFY)) == [.init(path: first, isDirect: true, needsRearm: false)])
        #expect(changes(event(2, IN_CLOSE_WRITE)) == [.init(path: first, isDirect: true, needsRearm: false)])
    }

    @Test(
        "An event after which the name may denote another file requires a rearm",
        arguments: [IN_ATTRIB, IN_MOVE_SELF, IN_DELETE_SELF, IN_UNMOUNT])
    func replaced(mask: Int32) {
        var tests = self
        _ = tests.table.set(watches("a", file: file), of: first)
        #expect(tests.changes(event(2, mask)) == [.init(path: first, isDirect: true, needsRearm: true)])
    }

    @Test("A name that appears or disappears is a direct change of the paths that end there, not of others")
    mutating func name() {
        _ = table.set(watches("a"), of: first)
        _ = table.set(watches("a", isComplete: false), of: second)
        let changes = changes(event(1, IN_CREATE, "a")).sorted { $0.path.number < $1.path.number }
        #expect(
            changes == [
                .init(path: first, isDirect: true, needsRearm: true),
                .init(path: second, isDirect: false, needsRearm: true),
            ])
    }

    @Test("An event of a name that no path leads through affects no path")
    mutating func neighbor() {
        _ = table.set(watches("a", file: file), of: first)
        #expect(changes(event(1, IN_CREATE, "b"), event(1, IN_MOVED_TO, "A"), event(9, IN_MODIFY)) == [])
    }

    @Test("A path occurs once in a batch, in the order of its first event", arguments: [1, 15, 16, 17, 100])
    func batch(count: Int) {
        var batch = EventBatch()
        let paths = (0..<count).map { PathID(number: 3 * $0) }
        for path in paths { batch.add(path, isDirect: false, needsRearm: false) }
        for path in paths.reversed() { batch.add(path, isDirect: path.number.isMultiple(of: 2), needsRearm: false) }
        for path in paths { batch.add(path, isDirect: false, needsRearm: path.number.isMultiple(of: 5)) }
        let expected = paths.map {
            EventBatch.PathChange(
                path: $0, isDirect: $0.number.isMultiple(of: 2), needsRearm: $0.number.isMultiple(of: 5))
        }
        #expect(batch.changes == expected)
    }

    @Test("Composed and decomposed letters are two names")
    mutating func letters() {
        _ = table.set(watches("\u{E9}"), of: first)
        #expect(changes(event(1, IN_CREATE, "e\u{301}")) == [])
        #expect(changes(event(1, IN_CREATE, "\u{E9}")).count == 1)
    }

    @Test("Moving or deleting a directory affects every path that leads through it")
    mutating func folderMoves() {
        _ = table.set(watches("a"), of: first)
        _ = table.set(watches("b"), of: second)
        let changes = changes(event(1, IN_MOVE_SELF))
        #expect(Set(changes.map(\.path)) == [first, second])
        #expect(changes.allSatisfy { !$0.isDirect && $0.needsRearm })
    }

    @Test("Several events of a path in a batch become one change")
    mutating func batch() {
        _ = table.set(watches("a", file: file), of: first)
        let changes = changes(event(2, IN_MODIFY), event(2, IN_CLOSE_WRITE), event(1, IN_MOVED_TO, "a"))
        #expect(changes == [.init(path: first, isDirect: true, needsRearm: true)])
    }

    @Test("A watch that the kernel has ended is removed, and the inode can be watched again")
    mutating func ignored() {
        _ = table.set(watches("a", file: file), of: first)
        #expect(changes(event(2, IN_IGNORED)).count == 1)
        #expect(table.count == 1)
        #expect(table.node(of: Inode(device: 1, number: 20)) == nil)
        #expect(changes(event(2, IN_MODIFY)) == [])
        let again = table.insert(WatchDescriptor(number: 3), of: Inode(device: 1, number: 20))
        let change = table.set(watches("a", file: again), of: first)
        #expect(change.isChanged && change.unused == [])
    }

    @Test("Setting the same watches again is no change")
    mutating func sameWatches() {
        #expect(table.set(watches("a", file: file), of: first).isChanged)
        #expect(!table.set(watches("a", file: file), of: first).isChanged)
    }

    @Test("A watch is needed until the last path that uses it is gone")
    mutating func sharing() {
        _ = table.set(watches("a", file: file), of: first)
        _ = table.set(watches("a", file: file), of: second)
        #expect(table.remove(first) == [])
        #expect(table.set(watches("b"), of: second).unused == [file])
        #expect(table.remove(second) == [folder])
        #expect(table.remove(second) == [])
        #expect(table.pathCount == 0)
    }

    @Test("A path that leads through the same name twice is removed from it completely")
    mutating func twice() {
        let entry = WatchTable.WatchedName(directory: folder, name: "l")
        _ = table.set(WatchTable.PathWatches(names: [entry, entry], file: nil, isComplete: false), of: first)
        #expect(table.remove(first) == [folder])
    }

    @Test("A node with a corrected inode is found by the new one")
    mutating func setInode() {
        let right = Inode(device: 1, number: 21)
        table.setInode(of: file, right)
        #expect(table.node(of: right) == file)
        #expect(table.node(of: Inode(device: 1, number: 20)) == nil)
    }

    @Test("A directory with a wide mask receives events of its new watch only")
    mutating func setWideMask() {
        _ = table.set(watches("a"), of: first)
        table.setWideMask(of: folder, WatchDescriptor(number: 7))
        #expect(changes(event(1, IN_CREATE, "a")) == [])
        #expect(changes(event(7, IN_CLOSE_WRITE, "a")) == [.init(path: first, isDirect: true, needsRearm: false)])
        #expect(table[folder]?.hasWideMask == true)
    }
}

extension WatchTableTests {
    @Test("In random sequences, exactly the watches without paths are unused")
    mutating func random() {
        var generator = SeededGenerator(11)
        let nodes = (0..<6).map {
            table.insert(WatchDescriptor(number: 100 + $0), of: Inode(device: 2, number: UInt64($0)))
        }
        let names: [FileName] = ["a", "b"]
        var watchesByPath: [PathID: WatchTable.PathWatches] = [:]
        for _ in 0..<2000 {
            let path = PathID(number: Int.random(in: 1...4, using: &generator))
            let unused: [WatchTable.NodeID]
            let before = watchesByPath[path]
            if Int.random(in: 0..<3, using: &generator) == 0 {
                watchesByPath[path] = nil
                unused = table.remove(path)
            } else {
                let entries = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    WatchTable.WatchedName(
                        directory: nodes[..<3].randomElement(using: &generator)!,
                        name: names.randomElement(using: &generator)!)
                }
                let file = Bool.random(using: &generator) ? nodes[3...].randomElement(using: &generator) : nil
                watchesByPath[path] = WatchTable.PathWatches(names: entries, file: file, isComplete: true)
                unused = table.set(watchesByPath[path]!, of: path).unused
            }
            let used = Set(watchesByPath.values.flatMap { $0.names.map(\.directory) + [$0.file].compactMap { $0 } })
            let left = Set((before?.names.map(\.directory) ?? []) + [before?.file].compactMap { $0 })
            #expect(Set(unused) == left.subtracting(used))
            for node in nodes { #expect(table.isUnused(node) == !used.contains(node)) }
        }
    }
}
