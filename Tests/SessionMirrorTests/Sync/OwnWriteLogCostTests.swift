import CAllocationCount
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import DurableFiles
@testable import SessionMirror

/// Memory of the log of own writes, and time spent under the lock of the state.
@Suite("The cost of the log of own writes") struct OwnWriteLogCostTests {
    private static let moment = Instant(nanoseconds: 5_000_000_000)

    @Test(
        "The log of 8,000 saves of a value of 1 KB takes less than 1.1 MB",
        .enabled(if: allocation_count_is_available()))
    func bytes() {
        var ownWrites = OwnWriteLog()
        let meter = AllocationMeter {
            for number in 0..<8_000 {
                ownWrites.saved([Self.change(number, size: 1_000)], at: Self.moment + .milliseconds(number))
            }
        }
        #expect(meter.liveBytes < 1_100_000)
        #expect(ownWrites.count > 4_000)
    }

    @Test(
        "The log of saves at 20,000 different paths takes less than 1.1 MB",
        .enabled(if: allocation_count_is_available()))
    func places() {
        var ownWrites = OwnWriteLog()
        let meter = AllocationMeter {
            for number in 0..<20_000 {
                let path = JSONPointer(["a place of its own with a long name", "\(number)"])
                ownWrites.saved(
                    [ValueChange(path: path, old: JSON(number), new: JSON(number + 1))],
                    at: Self.moment + .microseconds(number))
            }
        }
        #expect(meter.liveBytes < 1_100_000)
    }

    private static func change(_ number: Int, size: Int) -> ValueChange {
        func value(_ number: Int) -> JSON { JSON(String(repeating: "x", count: size) + "\(number)") }
        return ValueChange(path: "/text", old: value(number), new: value(number + 1))
    }

    @Test("A session without a stale write window logs no writes") func off() throws {
        let folder = try TemporaryFolder()
        var options = SessionOptions()
        options.staleWriteWindow = .zero
        options.replacing.durability = .fast
        let session = try Session<JSON>([:], at: folder.path(of: "a.json"), options: options)
        for number in 0..<20 { try session.commitBlocking { $0["n"] = JSON(number) } }
        guard case .file(let synchronizer, _) = session.source else { return }
        #expect(synchronizer.state.withLock { $0.syncBase.ownWrites.count } == 0)
        try session.closeBlocking()
    }

    @Test(
        "Handling a finished save takes less than a fifth of the time to hash the changed array",
        arguments: [false, true])
    func underTheLock(isOvertaken: Bool) throws {
        var simulation = try LargeArraySimulation()
        let hashing = cpuTime { _ = simulation.array.hashValue }
        var result = try #require(try simulation.save())
        if isOvertaken { simulation.update() }
        result = result.adjusted(for: simulation.state.snapshot)
        let handling = cpuTime { _ = simulation.state.saveSucceeded(result, at: Self.moment) }
        print("handling the save \(handling) ns, hashing the array \(hashing) ns")
        #expect(handling < hashing / 5)
    }

    private func cpuTime(_ body: () throws -> Void) rethrows -> Int {
        let begin = threadCPUTime()
        try body()
        return threadCPUTime() - begin
    }
}

/// The state of a session whose root contains a large array of numbers, one of which has changed in memory.
private struct LargeArraySimulation {
    private static let moment = Instant(nanoseconds: 5_000_000_000)
    var state: SyncState
    let array: JSON
    private let document: JSONDocument
    private let reconciler = Reconciler(
        file: "file", decoder: ValidatingDecoder<JSON>(coder: .standard, check: nil), policy: .fileWins)

    init() throws {
        #if DEBUG
        let count = 30_000
        #else
        let count = 300_000
        #endif
        let text = "{\"list\":[" + (0..<count).map { "\($0).5" }.joined(separator: ",") + "],\"n\":0}"
        document = try JSONDocument(parsing: text)
        array = document.value["list"]!
        let defaults = SnapshotStorage(JSON.object([:]), version: .first, origin: .initial, source: .nothing)
        state = SyncState(
            defaults: defaults, timing: .init(settlingTime: .milliseconds(100), settlingLimit: .seconds(1)),
            at: Self.moment)
        _ = state.initialLoadFinished(.loaded(try reconciler.reconcile(state.syncBase, document, at: Self.moment)))
        update()
        _ = state.timePassed(at: Self.moment + .seconds(3))
    }

    mutating func update() {
        let count = state.snapshot.version.number
        let root = try! state.snapshot.tree().setting("/list/5", to: JSON(count))
        let snapshot = SnapshotStorage(root, version: state.snapshot.version.next, origin: .update, source: .tree(root))
        _ = state.updated(to: snapshot, at: Self.moment)
    }

    /// The result of a save that finds the file unchanged.
    func save() throws -> SaveResult? {
        var save = SaveTransaction(
            state.syncBase, SaveTransaction.Settings(reconciler: reconciler, parsing: .init(), newFile: .changedKeys))
        let identity = FileIdentity(
            device: 1, inode: 1, size: 0, modified: FileTime(seconds: 0, nanoseconds: 0),
            changed: FileTime(seconds: 0, nanoseconds: 0))
        let contents = FileContents(bytes: document.bytes, identity: identity, mode: 0o644, isStable: true)
        _ = try save.bytes(
            for: FoundFile(contents: contents, written: nil, displaced: []), newest: state.snapshot, requests: [],
            at: Self.moment)
        return save.result
    }
}
