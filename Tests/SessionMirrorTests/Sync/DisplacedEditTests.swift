import DurableFiles
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Displaced edits") struct DisplacedEditTests {
    private let moment = Instant(nanoseconds: 1_000_000_000)

    /// The result of a save that has no changes and finds a displaced edit of the current file, `age` after the program
    /// replaced 1 with 2.
    private func save(finding edit: String, after age: Duration) throws -> SaveResult {
        let folder = try TemporaryFolder()
        let text = #"{"a": 2, "b": 0}"#
        try folder.write("a.json", text)
        let document = try JSONDocument(parsing: text)
        var ownWrites = OwnWriteLog()
        ownWrites.saved([ValueChange(path: "/a", old: 1, new: 2)], at: moment)
        let syncBase = SyncBase(
            document: document, isMissing: false, baseTree: document.value,
            snapshot: SnapshotStorage(document.value, version: .first, origin: .initial, source: .text(document)),
            ownWrites: ownWrites)
        let reconciler = Reconciler(
            file: "a.json", decoder: ValidatingDecoder<JSON>(coder: .standard, check: nil), policy: .fileWins)
        var save = SaveTransaction(
            syncBase, SaveTransaction.Settings(reconciler: reconciler, parsing: .init(), newFile: .changedKeys))
        let found = FoundFile(
            contents: try DurableFile(folder.path(of: "a.json")).read(limit: 1_000),
            displaced: [DisplacedEdit(base: Array(text.utf8), bytes: Array(edit.utf8))])
        _ = try save.bytes(for: found, newest: syncBase.snapshot, requests: [], at: moment + age)
        return try #require(save.proposed)
    }

    @Test("A displaced edit is merged") func merged() throws {
        let result = try save(finding: #"{"a": 2, "b": 5}"#, after: .zero)
        #expect(result.document.text == #"{"a": 2, "b": 5}"# && result.conflicts.isEmpty)
    }

    @Test("A displaced edit that reverts a recent write is treated as a stale write and reported") func stale() throws {
        let result = try save(finding: #"{"a": 1, "b": 5}"#, after: .milliseconds(10))
        #expect(result.document.text == #"{"a": 2, "b": 5}"#)
        #expect(result.conflicts.map(\.code.name) == ["restored"])
    }

    @Test("A displaced edit that reverts an earlier write is accepted and reported") func reverted() throws {
        let result = try save(finding: #"{"a": 1, "b": 5}"#, after: .seconds(2))
        #expect(result.document.text == #"{"a": 1, "b": 5}"#)
        #expect(result.conflicts.map(\.code.values) == [JSONConflict(path: "/a", base: 2, ours: 2, theirs: 1)])
        #expect(result.conflicts.map(\.code.name) == ["reverted"])
    }
}
