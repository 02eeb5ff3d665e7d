internal import LosslessJSON

/// The outcome of a save, valid once the bytes of its ``SaveTransaction`` are in the file.
struct SaveResult {
    /// The snapshot that the save started from.
    let inputSnapshot: AnySnapshotStorage
    /// The tree of `inputSnapshot`.
    private(set) var inputTree: JSON
    /// The snapshot to publish; identical to `inputSnapshot` if nothing changes.
    private(set) var snapshot: AnySnapshotStorage
    /// The versions between `inputSnapshot` and `snapshot` whose successors have another origin.
    private(set) var intermediate: [AnySnapshotStorage] = []
    var document: JSONDocument
    /// The text of the file that was merged; nil if there is no file.
    let found: JSONDocument?
    /// The intents to store with the file.
    var intents: WriteIntents
    /// What to add to the log of own writes.
    var records: [OwnWriteLog.Record]
    var conflicts: [SessionProblem]
    /// The requests that this result completes, each with its error.
    var completedRequests: [(SaveRequest, (any Error)?)]
    /// The text that the last of these requests wants to be written as it is.
    var replacement: TextReplacement? {
        completedRequests.last.flatMap { request, error in error == nil ? request.replacement : nil }
    }
    /// Whether a commit succeeds, which creates a missing file even if it changes nothing.
    var hasCommits: Bool { completedRequests.contains { request, error in request.change != nil && error == nil } }
    /// Whether the content of the file changes.
    var changesFile: Bool
    /// Whether changes of others were merged.
    var isMerge: Bool
    /// Whether there is no file, and nothing to create one from.
    var isMissing: Bool
    /// The warnings about keys that the type does not have; nil if they are the same as before.
    var unknownKeys: [SessionProblem]?
    /// Whether the file has more than `inputTree`, if memory has changed meanwhile.
    var isFileAhead = false

    /// Sets the next snapshot to publish, and keeps the previous one in `intermediate` if the origin changes.
    mutating func advance(to next: AnySnapshotStorage) {
        if snapshot !== inputSnapshot, snapshot !== next, snapshot.origin != next.origin {
            intermediate.append(snapshot)
        }
        snapshot = next
    }

    /// Sets the next snapshot after a merge. If its tree equals that of the previous published snapshot, because two
    /// merges cancelled each other out, nothing new is published.
    mutating func advance(toMerged next: AnySnapshotStorage) {
        advance(to: next)
        let published = intermediate.last ?? inputSnapshot
        guard let tree = try? next.tree(), let publishedTree = try? published.tree(), tree.isSame(as: publishedTree)
        else { return }
        snapshot = published
        _ = intermediate.popLast()
    }

    /// Adjusts the result if memory has `newest` by now. Runs user code and compares whole values, so it must not be
    /// called under a lock that others wait for.
    ///
    /// If `newest` cannot be written, it is not known where memory changed, and all conflicts are kept: reported twice
    /// at worst.
    func adjusted(for newest: AnySnapshotStorage) -> SaveResult {
        if newest === inputSnapshot { return self }
        var result = self
        result.isFileAhead = !document.value.isSame(as: inputTree)
        if !conflicts.isEmpty, let tree = try? newest.tree() { result.conflicts = conflicts(stillValidFor: tree) }
        return result
    }

    /// The result, if updates were built on it or on one that followed: memory has all that the file has, and the
    /// conflicts were reported.
    func includedInMemory(fileHas document: JSONDocument) -> SaveResult {
        var result = self
        (result.document, result.inputTree, result.conflicts) = (document, document.value, [])
        return result
    }

    /// The conflicts that remain decided if memory has `tree` by now. A value that the program has changed again will
    /// be merged with the file again, if the file has what another program wrote. The index of an element may differ
    /// among the trees, so conflicts inside arrays are kept: reported twice at worst.
    private func conflicts(stillValidFor tree: JSON) -> [SessionProblem] {
        if tree.isIdentical(to: inputTree) { return conflicts }
        return conflicts.filter { conflict in
            if case .restored = conflict.code { return true }
            guard let path = conflict.path, path == path.beforeArrays(of: inputTree) else { return true }
            return tree[at: path] == inputTree[at: path] || document.value[at: path] != conflict.code.values?.theirs
        }
    }

    /// Combines this confirmed result with the one of a later write of the same save.
    func combined(with next: SaveResult) -> SaveResult {
        var next = next
        if next.inputSnapshot === inputSnapshot { next.intermediate = intermediate + next.intermediate }
        next.records = records + next.records
        next.unknownKeys = next.unknownKeys ?? unknownKeys
        next.conflicts = conflicts(stillValidFor: next.inputTree) + next.conflicts
        next.completedRequests = completedRequests + next.completedRequests
        next.changesFile = changesFile || next.changesFile
        next.isMerge = isMerge || next.isMerge
        return next
    }
}

/// Why a save failed.
enum SaveFailure: Error {
    /// The file is invalid, or missing for the moment.
    case unusableFile(LoadResult)
    /// This value in memory cannot be written.
    case blocked(SessionProblem, of: AnySnapshotStorage)
    /// The system reported an error, or another program wrote something that cannot be merged. Retried later.
    case failed(SessionProblem)

    /// Why the requests of the save fail; nil if they wait for the next one.
    var requestError: SessionProblem? {
        switch self {
        case .unusableFile: nil
        case .blocked(let problem, _), .failed(let problem): problem
        }
    }
}
