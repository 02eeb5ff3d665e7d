import Locking
import LosslessJSON
import Testing

@testable import SessionMirror

@Suite("Reconciling memory and file") struct ReconcilerTests {
    private let moment = Instant(nanoseconds: 5_000_000_000)

    /// Rejects values whose `low` is above `high`.
    private func reconciler(_ policy: ConflictPolicy) -> Reconciler {
        let decoder = ValidatingDecoder<JSON>(coder: .standard) { value in
            if let low = value["low"]?.int, let high = value["high"]?.int, low > high {
                throw ValidationError("must not be above \(high)", at: "low")
            }
        }
        return Reconciler(file: "file", decoder: decoder, policy: policy)
    }

    private func syncBase(_ text: String, _ memory: JSON, ownWrites: OwnWriteLog = OwnWriteLog()) throws -> SyncBase {
        let document = try JSONDocument(parsing: text)
        let snapshot = SnapshotStorage(memory, version: Version(7), origin: .update, source: .tree(memory))
        return SyncBase(
            document: document, isMissing: false, baseTree: document.value, snapshot: snapshot, ownWrites: ownWrites)
    }

    private func reconcile(
        _ policy: ConflictPolicy, _ syncBase: SyncBase, found: String
    ) throws -> Reconciliation {
        try reconciler(policy).reconcile(syncBase, JSONDocument(parsing: found), at: moment)
    }

    @Test("Without pending changes the file's value becomes the next version") func taken() throws {
        let result = try reconcile(.fileWins, syncBase(#"{"a": 1}"#, ["a": 1]), found: #"{"a": 2}"#)
        #expect(result.tree == ["a": 2] && result.snapshot.savedTree == ["a": 2])
        #expect(result.snapshot.version.number == 8 && result.snapshot.origin == .external)
        #expect(!result.isPending && result.conflicts.isEmpty)
    }

    @Test("A file with only a new layout creates no version") func layout() throws {
        let syncBase = try syncBase(#"{"a": 1}"#, ["a": 1])
        let result = try reconcile(.fileWins, syncBase, found: #"{ "a" : 1.0 } // new"#)
        #expect(result.snapshot === syncBase.snapshot)
        #expect(!result.isPending)
    }

    @Test("Changes of different values on both sides are merged") func merged() throws {
        let result = try reconcile(
            .fileWins, syncBase(#"{"a": 1, "b": 1}"#, ["a": 2, "b": 1]), found: #"{"a": 1, "b": 3, "c": 4}"#)
        #expect(result.tree == ["a": 2, "b": 3, "c": 4])
        #expect(result.isPending && result.conflicts.isEmpty)
    }

    @Test("The same change on both sides is no conflict") func same() throws {
        let syncBase = try syncBase(#"{"a": 1}"#, ["a": 2])
        let result = try reconcile(.fileWins, syncBase, found: #"{"a": 2}"#)
        #expect(result.snapshot === syncBase.snapshot)
        #expect(!result.isPending && result.conflicts.isEmpty)
    }

    @Test("A conflict is resolved by the policy and reported with its three values")
    func policies() throws {
        let custom = ConflictPolicy.custom { JSON(($0.ours?.int ?? 0) + ($0.theirs?.int ?? 0)) }
        let removing = ConflictPolicy.custom { _ in nil }
        let cases: [(ConflictPolicy, JSON, String)] = [
            (.fileWins, ["a": 3], "kept the file's value"), (.memoryWins, ["a": 2], "kept this program's value"),
            (custom, ["a": 5], "changed to 5"), (removing, [:], "changed to nothing"),
        ]
        for (policy, expected, verdict) in cases {
            let result = try reconcile(policy, syncBase(#"{"a": 1}"#, ["a": 2]), found: #"{"a": 3}"#)
            #expect(result.tree == expected)
            #expect(result.conflicts.map(\.code.values) == [JSONConflict(path: "/a", base: 1, ours: 2, theirs: 3)])
            #expect(result.conflicts.first?.message.hasSuffix(verdict) == true)
            #expect(result.isPending == (expected != ["a": 3]))
        }
    }

    @Test("With fileWins, a merge that the check rejects is one conflict of the root, and the file wins") func whole()
        throws
    {
        let syncBase = try syncBase(#"{"low": 1, "high": 9}"#, ["low": 8, "high": 9])
        let result = try reconcile(.fileWins, syncBase, found: #"{"low": 1, "high": 5}"#)
        #expect(result.tree == ["low": 1, "high": 5])
        let values = JSONConflict(
            path: JSONPointer(), base: ["low": 1, "high": 9], ours: ["low": 8, "high": 9],
            theirs: ["low": 1, "high": 5])
        #expect(result.conflicts.map(\.code.values) == [values])
        #expect(result.conflicts.first?.message.contains("must not be above 5") == true)
        #expect(!result.isPending)
    }

    @Test("With memoryWins, a merge that the check rejects is blocked by a conflict") func held() throws {
        let syncBase = try syncBase(#"{"low": 1, "high": 9}"#, ["low": 8, "high": 9])
        do {
            _ = try reconcile(.memoryWins, syncBase, found: #"{"low": 1, "high": 5}"#)
            Issue.record("the merge was not blocked")
        } catch ReconcileFailure.blocked(let problem) {
            #expect(problem.code.name == "conflict")
            #expect(problem.code.values?.path == JSONPointer())
        }
    }

    @Test("A custom resolution of the root is used if the check accepts it, and the file's value otherwise")
    func chosen() throws {
        let syncBase = try syncBase(#"{"low": 1, "high": 9}"#, ["low": 8, "high": 9])
        let choices: [(JSON?, JSON)] = [
            (["low": 4, "high": 5], ["low": 4, "high": 5]), (["low": 6, "high": 5], ["low": 1, "high": 5]),
            (nil, ["low": 1, "high": 5]),
        ]
        for (choice, expected) in choices {
            let result = try reconcile(.custom { _ in choice }, syncBase, found: #"{"low": 1, "high": 5}"#)
            #expect(result.tree == expected && result.snapshot.savedTree == expected)
            #expect(result.conflicts.count == 1)
        }
    }

    @Test("A file that the check rejects by itself is invalid and is not merged") func refused() throws {
        let syncBase = try syncBase(#"{"low": 1, "high": 9}"#, ["low": 1, "high": 10])
        for policy in [ConflictPolicy.fileWins, .memoryWins] {
            do {
                _ = try reconcile(policy, syncBase, found: #"{"low": 9, "high": 8}"#)
                Issue.record("the file was not rejected")
            } catch ReconcileFailure.invalid(let problem) {
                #expect(problem.code == .value && problem.path == "/low")
            }
        }
    }

    @Test("A stale write is restored once, while other edits of the same text are kept")
    func restored() throws {
        var ownWrites = OwnWriteLog()
        ownWrites.saved([ValueChange(path: "/a", old: 1, new: 2)], at: moment)
        let result = try reconcile(
            .fileWins, syncBase(#"{"a": 2}"#, ["a": 2], ownWrites: ownWrites), found: #"{"a": 1, "b": 5}"#)
        #expect(result.tree == ["a": 2, "b": 5])
        #expect(result.hasRestored && result.isPending)
        #expect(result.conflicts.map(\.code.name) == ["restored"])
        #expect(result.conflicts.map(\.code.values) == [JSONConflict(path: "/a", base: 2, ours: 2, theirs: 1)])

        ownWrites.append(result.records)
        let again = try self.reconcile(
            .fileWins, syncBase(#"{"a": 2}"#, ["a": 2], ownWrites: ownWrites), found: #"{"a": 1}"#)
        #expect(again.tree == ["a": 1])
        #expect(again.conflicts.map(\.code.name) == ["reverted"])
        #expect(!again.hasRestored && !again.isPending)
    }
}
