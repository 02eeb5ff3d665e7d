internal import Locking
internal import LosslessJSON

/// Merges the value in memory and the content of the file.
struct Reconciler: Sendable {
    /// The path of the file, for messages.
    let file: String
    let decoder: any RootDecoding
    let policy: ConflictPolicy
    var arrays: JSONArrayRules = [:]
    var secrets: JSONSecrets = []

    /// Merges memory and file three-way: a change made by only one side since the base is kept.
    func reconcile(
        _ syncBase: SyncBase, _ document: JSONDocument, _ intents: WriteIntents = WriteIntents(), at moment: Instant
    ) throws(ReconcileFailure) -> Reconciliation {
        let memoryTree = try tree(of: syncBase.snapshot)
        var detector = StaleWriteDetector(syncBase, memoryTree, document.value, intents, in: self, at: moment)
        detector.detect()
        let hasNoStaleWrite = detector.theirs.isIdentical(to: document.value)
        let isUntouched = hasNoStaleWrite && detector.ours.isSame(as: syncBase.baseTree)
        let isFileUnchanged =
            hasNoStaleWrite && detector.ours.isIdentical(to: memoryTree)
            && syncBase.document?.value.isIdentical(to: document.value) == true && syncBase.isReconciled
        var result = Reconciliation(
            document: document, inputSnapshot: syncBase.snapshot, snapshot: syncBase.snapshot, tree: memoryTree,
            records: detector.records, conflicts: detector.conflicts, hasRestored: detector.hasRestored)
        if isUntouched {
            try adoptFile(document, memoryTree, syncBase, &result)
        } else if !isFileUnchanged {
            try merge(detector, memoryTree, syncBase, &result)
        }
        if !isUntouched, result.snapshot === syncBase.snapshot { decoder.forget() }
        // Computed here, because the value is needed under a lock.
        result.isPending = !result.tree.isSame(as: document.value)
        return result
    }

    func tree(of snapshot: AnySnapshotStorage) throws(ReconcileFailure) -> JSON {
        do throws(JSONCodingError) {
            return try snapshot.tree()
        } catch {
            throw .blocked(SessionProblem(unencodable: error, in: file, hiding: secrets))
        }
    }

    /// Adopts the file, because nothing is pending.
    private func adoptFile(
        _ document: JSONDocument, _ memoryTree: JSON, _ syncBase: SyncBase, _ result: inout Reconciliation
    ) throws(ReconcileFailure) {
        result.tree = document.value
        if syncBase.document == nil || !memoryTree.isSame(as: document.value) {
            let decoded = try decoded(document, from: syncBase)
            (result.snapshot, result.unknownKeys) = (decoded.snapshot, decoded.unknownKeys)
        }
    }

    private func merge(
        _ detector: StaleWriteDetector, _ memoryTree: JSON, _ syncBase: SyncBase, _ result: inout Reconciliation
    ) throws(ReconcileFailure) {
        let document = result.document
        // The file must be valid on its own: invalid content is for its editor to fix, and not to be merged away.
        let decoded = try decoded(document, from: syncBase)
        let fileSnapshot = decoded.snapshot
        result.unknownKeys = decoded.unknownKeys
        let merge = JSON.merge(
            base: syncBase.baseTree, ours: detector.ours, theirs: detector.theirs, arrays: arrays, resolving: resolve)
        do throws(SessionProblem) {
            result.snapshot =
                if merge.value.isSame(as: memoryTree) {
                    result.inputSnapshot
                } else if merge.value.isSame(as: document.value) {
                    fileSnapshot
                } else {
                    try snapshot(of: merge.value, from: syncBase)
                }
            result.tree = merge.value
            result.conflicts += problems(of: merge)
        } catch {
            let whole = JSONConflict(
                path: JSONPointer(), base: syncBase.baseTree, ours: memoryTree, theirs: document.value)
            try resolveWhole(whole, because: error, fileSnapshot, syncBase, &result)
        }
    }

    /// Resolves a conflict of the whole value: each side is valid, but the merged value is not.
    private func resolveWhole(
        _ conflict: JSONConflict, because problem: SessionProblem, _ fileSnapshot: AnySnapshotStorage,
        _ syncBase: SyncBase, _ result: inout Reconciliation
    ) throws(ReconcileFailure) {
        let conflictProblem = SessionProblem(conflict: conflict, in: file, because: problem, hiding: secrets)
        if case .memoryWins = policy { throw .blocked(conflictProblem) }
        result.snapshot = fileSnapshot
        result.tree = result.document.value
        if case .custom(let resolve) = policy, let chosen = resolve(conflict),
            let snapshot = try? snapshot(of: chosen, from: syncBase)
        {
            (result.snapshot, result.tree) = (snapshot, chosen)
        }
        result.conflicts.append(conflictProblem)
    }

    /// The reports of the conflicts of a merge.
    func problems(of merge: JSONMerge) -> [SessionProblem] {
        zip(merge.conflicts, merge.resolutions).map {
            SessionProblem(conflict: $0, in: file, kept: $1, hiding: secrets)
        }
    }

    func resolve(_ conflict: JSONConflict) -> JSON? {
        switch policy {
        case .fileWins: conflict.theirs
        case .memoryWins: conflict.ours
        case .custom(let resolve): resolve(conflict)
        }
    }

    private func decoded(
        _ document: JSONDocument, from syncBase: SyncBase
    ) throws(ReconcileFailure) -> DecodedFile {
        let (version, origin) = syncBase.next
        do throws(SessionProblem) {
            return try decoder.snapshot(of: document, in: file, version: version, origin: origin)
        } catch {
            throw .invalid(error)
        }
    }

    private func snapshot(of tree: JSON, from syncBase: SyncBase) throws(SessionProblem) -> AnySnapshotStorage {
        let (version, origin) = syncBase.next
        return try decoder.snapshot(of: tree, in: file, version: version, origin: origin)
    }
}

/// The result of reconciling memory and file.
struct Reconciliation: Sendable {
    /// The text of the file.
    let document: JSONDocument
    /// The snapshot in memory.
    let inputSnapshot: AnySnapshotStorage
    /// The snapshot to publish; identical to `inputSnapshot` if nothing changes.
    var snapshot: AnySnapshotStorage
    /// The tree of `snapshot`.
    var tree: JSON
    /// What to add to the log of own writes.
    var records: [OwnWriteLog.Record]
    /// Conflicts, restored values and reverted values.
    var conflicts: [SessionProblem] = []
    /// Whether a value that a stale write had reverted was restored.
    var hasRestored = false
    /// Whether memory has changes that the file does not have.
    var isPending = false
    /// The warnings about keys that the type does not have; nil if the text was not decoded, because its tree is known.
    var unknownKeys: [SessionProblem]?
}

/// Why memory and file cannot be reconciled.
enum ReconcileFailure: Error {
    /// The file is invalid.
    case invalid(SessionProblem)
    /// The value in memory cannot be written.
    case blocked(SessionProblem)
}

extension JSON {
    func isSame(as other: JSON) -> Bool { isIdentical(to: other) || self == other }
}
