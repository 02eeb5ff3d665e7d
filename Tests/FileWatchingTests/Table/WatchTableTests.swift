import Glibc
import Testing

@testable import FileWatching

@Suite struct WatchTableTests {
    private var table = WatchTable()
    private let folder: WatchTable.NodeID
    private let file: WatchTable.NodeID
    private let first = PathID(number: 1)
    private let second = PathID(number: 2)

    init() {
        folder = table.insert(Watch(number: 1), of: Inode(device: 1, number: 10))
        file = table.insert(Watch(number: 2), of: Inode(device: 1, number: 20))
    }

    private func way(_ name: FileName, file: WatchTable.NodeID? = nil, isComplete: Bool = true) -> WatchTable.Way {
        WatchTable.Way(places: [.init(directory: folder, name: name)], file: file, isComplete: isComplete)
    }

    private func event(_ watch: Int32, _ mask: Int32, _ name: FileName? = nil) -> InotifyEvent {
        InotifyEvent(watch: Watch(number: watch), mask: InotifyMask(rawValue: UInt32(bitPattern: mask)), name: name)
    }

    private mutating func touches(_ events: InotifyEvent...) -> [Batch.Touch] {
        var batch = Batch()
        for event in events { table.note(event, in: &batch) }
        return batch.touches
    }

    @Test("what is written to a file touches its paths directly, and nothing needs arming")
    mutating func write() {
        _ = table.set(way("a", file: file), of: first)
        #expect(touches(event(2, IN_MODIFY)) == [.init(path: first, isDirect: true, needsArming: false)])
        #expect(touches(event(2, IN_CLOSE_WRITE)) == [.init(path: first, isDirect: true, needsArming: false)])
    }

    @Test(
        "whatever can mean another file behind the name needs arming",
        arguments: [IN_ATTRIB, IN_MOVE_SELF, IN_DELETE_SELF, IN_UNMOUNT])
    func replaced(mask: Int32) {
        var tests = self
        _ = tests.table.set(way("a", file: file), of: first)
        #expect(tests.touches(event(2, mask)) == [.init(path: first, isDirect: true, needsArming: true)])
    }

    @Test("a name that comes or goes touches the paths that end there directly, others not")
    mutating func name() {
        _ = table.set(way("a"), of: first)
        _ = table.set(way("a", isComplete: false), of: second)
        let touches = touches(event(1, IN_CREATE, "a")).sorted { $0.path.number < $1.path.number }
        #expect(
            touches == [
                .init(path: first, isDirect: true, needsArming: true),
                .init(path: second, isDirect: false, needsArming: true),
            ])
    }

    @Test("a name that no path leads through touches nothing")
    mutating func neighbour() {
        _ = table.set(way("a", file: file), of: first)
        #expect(touches(event(1, IN_CREATE, "b"), event(1, IN_MOVED_TO, "A"), event(9, IN_MODIFY)) == [])
    }

    @Test("composed and decomposed letters are two names")
    mutating func letters() {
        _ = table.set(way("\u{E9}"), of: first)
        #expect(touches(event(1, IN_CREATE, "e\u{301}")) == [])
        #expect(touches(event(1, IN_CREATE, "\u{E9}")).count == 1)
    }

    @Test("a folder that moves or goes touches every path that leads through it")
    mutating func folderMoves() {
        _ = table.set(way("a"), of: first)
        _ = table.set(way("b"), of: second)
        let touches = touches(event(1, IN_MOVE_SELF))
        #expect(Set(touches.map(\.path)) == [first, second])
        #expect(touches.allSatisfy { !$0.isDirect && $0.needsArming })
    }

    @Test("many events of a batch touch a path once, with all that they mean")
    mutating func batch() {
        _ = table.set(way("a", file: file), of: first)
        let touches = touches(event(2, IN_MODIFY), event(2, IN_CLOSE_WRITE), event(1, IN_MOVED_TO, "a"))
        #expect(touches == [.init(path: first, isDirect: true, needsArming: true)])
    }

    @Test("a watch that the kernel has ended is forgotten, and the inode can be watched again")
    mutating func ignored() {
        _ = table.set(way("a", file: file), of: first)
        #expect(touches(event(2, IN_IGNORED)).count == 1)
        #expect(table.count == 1)
        #expect(table.node(of: Inode(device: 1, number: 20)) == nil)
        #expect(touches(event(2, IN_MODIFY)) == [])
        let again = table.insert(Watch(number: 3), of: Inode(device: 1, number: 20))
        let change = table.set(way("a", file: again), of: first)
        #expect(change.isNew && change.unneeded == [])
    }

    @Test("the same way again is nothing new")
    mutating func sameWay() {
        #expect(table.set(way("a", file: file), of: first).isNew)
        #expect(!table.set(way("a", file: file), of: first).isNew)
    }

    @Test("a watch is needed until the last path that uses it is gone")
    mutating func sharing() {
        _ = table.set(way("a", file: file), of: first)
        _ = table.set(way("a", file: file), of: second)
        #expect(table.forget(first) == [])
        #expect(table.set(way("b"), of: second).unneeded == [file])
        #expect(table.forget(second) == [folder])
        #expect(table.forget(second) == [])
        #expect(table.pathCount == 0)
    }

    @Test("a path through the same place twice leaves it altogether")
    mutating func twice() {
        let place = WatchTable.Place(directory: folder, name: "l")
        _ = table.set(WatchTable.Way(places: [place, place], file: nil, isComplete: false), of: first)
        #expect(table.forget(first) == [folder])
    }

    @Test("a node that was noted for the wrong inode is found by the right one afterwards")
    mutating func correct() {
        let right = Inode(device: 1, number: 21)
        table.correct(file, right)
        #expect(table.node(of: right) == file)
        #expect(table.node(of: Inode(device: 1, number: 20)) == nil)
    }

    @Test("a widened folder listens to its new watch only")
    mutating func widen() {
        _ = table.set(way("a"), of: first)
        table.widen(folder, Watch(number: 7))
        #expect(touches(event(1, IN_CREATE, "a")) == [])
        #expect(touches(event(7, IN_CLOSE_WRITE, "a")) == [.init(path: first, isDirect: true, needsArming: false)])
        #expect(table[folder]?.isWide == true)
    }
}

extension WatchTableTests {
    @Test("in random comings and goings, exactly the watches that nobody uses are unneeded")
    mutating func random() {
        var generator = SeededGenerator(seed: 11)
        let nodes = (0..<6).map { table.insert(Watch(number: 100 + $0), of: Inode(device: 2, number: UInt64($0))) }
        let names: [FileName] = ["a", "b"]
        var ways: [PathID: WatchTable.Way] = [:]
        for _ in 0..<2000 {
            let path = PathID(number: Int.random(in: 1...4, using: &generator))
            let unneeded: [WatchTable.NodeID]
            let before = ways[path]
            if Int.random(in: 0..<3, using: &generator) == 0 {
                ways[path] = nil
                unneeded = table.forget(path)
            } else {
                let places = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    WatchTable.Place(
                        directory: nodes[..<3].randomElement(using: &generator)!,
                        name: names.randomElement(using: &generator)!)
                }
                let file = Bool.random(using: &generator) ? nodes[3...].randomElement(using: &generator) : nil
                ways[path] = WatchTable.Way(places: places, file: file, isComplete: true)
                unneeded = table.set(ways[path]!, of: path).unneeded
            }
            let used = Set(ways.values.flatMap { $0.places.map(\.directory) + [$0.file].compactMap { $0 } })
            let left = Set((before?.places.map(\.directory) ?? []) + [before?.file].compactMap { $0 })
            #expect(Set(unneeded) == left.subtracting(used))
            for node in nodes { #expect(table.isUnneeded(node) == !used.contains(node)) }
        }
    }
}
