import DurableFiles
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Array rules and stale writes") struct ArrayRulesTests {
    private let moment = Instant(nanoseconds: 5_000_000_000)

    private func reconciler(_ merging: JSONArrayMerging) -> Reconciler {
        Reconciler(
            file: "file", decoder: ValidatingDecoder<JSON>(coder: .standard, check: nil), policy: .fileWins,
            arrays: ["list": merging])
    }

    /// The base of a session whose file has `list`, after it has written it over `old` at `moment`.
    private func syncBase(_ list: JSON, over old: JSON, memory: JSON? = nil) throws -> SyncBase {
        let document = try JSONDocument(parsing: #"{"list": \#(list)}"#)
        let tree: JSON = ["list": memory ?? list]
        var ownWrites = OwnWriteLog()
        ownWrites.saved([ValueChange(path: "/list", old: old, new: list)], at: moment)
        return SyncBase(
            document: document, isMissing: false, baseTree: document.value,
            snapshot: SnapshotStorage(tree, version: .first, origin: .update, source: .tree(tree)),
            ownWrites: ownWrites)
    }

    private func reconcile(
        _ merging: JSONArrayMerging, _ syncBase: SyncBase, found: JSON, _ intents: WriteIntents = WriteIntents(),
        after age: Duration = .milliseconds(500)
    ) throws -> Reconciliation {
        let document = try JSONDocument(parsing: #"{"list": \#(found)}"#)
        return try reconciler(merging).reconcile(syncBase, document, intents, at: moment + age)
    }

    private static let (one, a, b): (JSON, JSON, JSON) = (["id": 1], ["id": "a"], ["id": "b"])

    @Test(
        "What another program appends to the array before the program's last write is merged with that write, once",
        arguments: [JSONArrayMerging.union, .append, .byIdentity("id")])
    func staleAdditions(merging: JSONArrayMerging) throws {
        let found = JSON.array([Self.one, Self.b])
        var syncBase = try syncBase([Self.one, Self.a], over: [Self.one])
        let result = try reconcile(merging, syncBase, found: found)
        #expect(result.tree == ["list": [Self.one, Self.b, Self.a]])
        #expect(result.hasRestored && result.isPending)
        let values = JSONConflict(
            path: "list", base: [Self.one, Self.a], ours: [Self.one, Self.b, Self.a], theirs: found)
        #expect(result.conflicts.map(\.code.name) == ["restored"] && result.conflicts.map(\.code.values) == [values])

        syncBase.ownWrites.append(result.records)
        let again = try reconcile(merging, syncBase, found: found)
        #expect(again.tree == ["list": found] && !again.hasRestored && again.conflicts.isEmpty)
    }

    @Test("Pending additions are merged with those of a stale write, too") func pending() throws {
        let syncBase = try syncBase([1, "a"], over: [1], memory: [1, "a", "c"])
        let result = try reconcile(.append, syncBase, found: [1, "b"])
        #expect(result.tree == ["list": [1, "b", "a", "c"]])
        #expect(result.conflicts.map(\.code.name) == ["restored"])
    }

    @Test("Additions that are no stale write are taken from the file") func noStaleWrite() throws {
        let syncBase = try syncBase([1, "a"], over: [1])
        var intents = WriteIntents()
        intents.add([ValueChange(path: "/list", old: [1, "a"], new: [1, "b"])])
        let results = [
            try reconcile(.append, syncBase, found: [1, "b"], after: .seconds(1)),
            try reconcile(.append, syncBase, found: [1, "b"], intents),
            try reconcile(.whole, syncBase, found: [1, "b"]),
        ]
        for result in results {
            #expect(result.tree == ["list": [1, "b"]] && result.conflicts.isEmpty && !result.hasRestored)
        }
        for found in [[1, "a", "b"], ["a", "b"], [1, "a", "b", "c"]] as [JSON] {
            let result = try reconcile(.union, syncBase, found: found)
            #expect(result.tree == ["list": found] && result.conflicts.isEmpty && !result.hasRestored)
        }
    }

    @Test("An element that the program itself has removed is not restored") func removedByProgram() throws {
        var syncBase = try syncBase([1, "a"], over: [1])
        syncBase.ownWrites.saved([ValueChange(path: "/list", old: [1, "a"], new: [1])], at: moment)
        syncBase.document = try JSONDocument(parsing: #"{"list": [1]}"#)
        syncBase.baseTree = ["list": [1]]
        let tree = syncBase.baseTree
        syncBase.snapshot = SnapshotStorage(tree, version: .first, origin: .update, source: .tree(tree))
        let result = try reconcile(.append, syncBase, found: [1, "b"])
        #expect(result.tree == ["list": [1, "b"]] && result.conflicts.isEmpty)
    }

    @Test("A stale write of the whole array is restored, and pending additions are kept") func staleArray() throws {
        let syncBase = try syncBase([1, "a"], over: [1], memory: [1, "a", "c"])
        let result = try reconcile(.append, syncBase, found: [1])
        #expect(result.tree == ["list": [1, "a", "c"]])
        #expect(result.conflicts.map(\.code.name) == ["restored"])
    }

    @Test(
        "A displaced edit that reverts an earlier write removes what that write added, and nothing added since",
        arguments: [(.append, [1, "b"]), (.union, [1, "b"]), (.whole, [1])] as [(JSONArrayMerging, JSON)])
    func displaced(merging: JSONArrayMerging, expected: JSON) throws {
        let folder = try TemporaryFolder()
        let text = #"{"list": [1, "a", "b"]}"#
        try folder.write("a.json", text)
        var syncBase = try syncBase([1, "a"], over: [1])
        syncBase.ownWrites.saved([ValueChange(path: "/list", old: [1, "a"], new: [1, "a", "b"])], at: moment)
        let document = try JSONDocument(parsing: text)
        (syncBase.document, syncBase.baseTree) = (document, document.value)
        syncBase.snapshot = SnapshotStorage(
            document.value, version: .first, origin: .initial, source: .text(document))
        var save = SaveTransaction(
            syncBase,
            SaveTransaction.Settings(reconciler: reconciler(merging), parsing: .init(), newFile: .changedKeys))
        let edit = DisplacedEdit(base: Array(#"{"list": [1, "a"]}"#.utf8), bytes: Array(#"{"list": [1]}"#.utf8))
        let found = FoundFile(
            contents: try DurableFile(folder.path(of: "a.json")).read(limit: 1_000), displaced: [edit])
        _ = try save.bytes(for: found, newest: syncBase.snapshot, requests: [], at: moment + .seconds(2))
        let result = try #require(save.proposed)
        #expect(result.document.value == ["list": expected])
        #expect(result.conflicts.map(\.code.name) == ["reverted"])
    }

    @Test("A displaced edit without a known base adds nothing to an array") func unknownBase() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.json", #"{"list": [1, 2]}"#)
        let syncBase = try syncBase([1, 2], over: [1])
        var save = SaveTransaction(
            syncBase,
            SaveTransaction.Settings(reconciler: reconciler(.append), parsing: .init(), newFile: .changedKeys))
        let found = FoundFile(
            contents: try DurableFile(folder.path(of: "a.json")).read(limit: 1_000),
            displaced: [DisplacedEdit(base: nil, bytes: Array(#"{"list": [2], "new": 1}"#.utf8))])
        _ = try save.bytes(for: found, newest: syncBase.snapshot, requests: [], at: moment + .seconds(2))
        #expect(save.proposed?.document.value == ["list": [1, 2], "new": 1])
    }

    @Test("The report of a conflict about an object that was removed says whose change was kept") func removedObject()
        throws
    {
        let changed: JSON = ["id": 1, "port": 2]
        let syncBase = try syncBase([Self.one, Self.a], over: [], memory: [changed, Self.a])
        let result = try reconcile(.byIdentity("id"), syncBase, found: [Self.a], after: .seconds(2))
        #expect(result.tree == ["list": [Self.a]])
        #expect(
            result.conflicts.map(\.code.values) == [
                JSONConflict(path: "/list/0", base: Self.one, ours: changed, theirs: nil)
            ])
        #expect(result.conflicts.first?.message.hasSuffix("to nothing in the file: kept the file's value") == true)
    }
}
