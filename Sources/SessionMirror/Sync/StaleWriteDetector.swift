internal import Locking
internal import LosslessJSON

/// Detects values of this process that another program has reverted, and decides which of them to restore.
struct StaleWriteDetector {
    private let reconciler: Reconciler
    private let syncBase: SyncBase
    private let memoryTree: JSON
    private let fileTree: JSON
    /// The intents of other processes that use this library.
    private let intents: WriteIntents
    private let moment: Instant

    /// The tree of memory, without values that are no longer pending because they were reverted.
    private(set) var ours: JSON
    /// The tree of the file, with stale writes undone.
    private(set) var theirs: JSON
    /// What to add to the log of own writes.
    private(set) var records: [OwnWriteLog.Record] = []
    private(set) var conflicts: [SessionProblem] = []
    private(set) var hasRestored = false

    init(
        _ syncBase: SyncBase, _ memoryTree: JSON, _ fileTree: JSON, _ intents: WriteIntents, in reconciler: Reconciler,
        at moment: Instant
    ) {
        (self.syncBase, self.memoryTree, self.fileTree) = (syncBase, memoryTree, fileTree)
        (self.intents, self.reconciler, self.moment) = (intents, reconciler, moment)
        (ours, theirs) = (memoryTree, fileTree)
    }

    mutating func detect() {
        guard !syncBase.ownWrites.isEmpty, let before = syncBase.document?.value else { return }
        for change in ValueChange.list(from: before, to: fileTree) { detect(change) }
    }

    private mutating func detect(_ change: ValueChange) {
        let path = change.path
        let value = memoryTree[at: path]
        let ownWrites = syncBase.ownWrites
        let isOwnValue = ownWrites.isLastWritten(value, at: path)
        switch ownWrites.revertKind(of: change.new, at: path, since: change.old, at: moment) {
        case .none: detectStaleAdditions(change)
        case .staleWrite
        where (isOwnValue || ownWrites.isLastWritten(change.old, at: path))
            && !intents.contains(change.new, at: path):
            records.append(.restored(path, from: change.new, at: moment))
            theirs = theirs.with(syncBase.baseTree[at: path], at: path)
            hasRestored = true
            report(change, value) { .restored($0) }
        case .staleWrite, .revert:
            // A pending change of the same value is an ordinary conflict.
            guard isOwnValue || value == syncBase.baseTree[at: path] else { return }
            // Merged by rules, an array keeps the elements that only this program added.
            if reconciler.arrays.merging(at: path) == .whole {
                ours = ours.with(syncBase.baseTree[at: path], at: path)
            }
            if value != change.new { report(change, value) { .reverted($0) } }
        }
    }

    /// Detects that another program added elements to an array as it was before this program added some, and merges
    /// both.
    private mutating func detectStaleAdditions(_ change: ValueChange) {
        let path = change.path
        guard reconciler.arrays.merging(at: path) != .whole, let old = change.old?.array, let new = change.new?.array,
            syncBase.ownWrites.isLastWritten(change.old, at: path), !intents.contains(change.new, at: path)
        else { return }
        let known = Set(old)
        let earlier = JSON.array(JSONArray(new.lazy.filter { known.contains($0) }))
        guard earlier != change.old, syncBase.ownWrites.revertKind(of: earlier, at: path, at: moment) == .staleWrite
        else { return }
        records.append(.restored(path, from: earlier, at: moment))
        theirs =
            JSON.merge(
                base: theirs.with(earlier, at: path), ours: theirs.with(change.old, at: path), theirs: theirs,
                arrays: reconciler.arrays, preferring: .theirs
            ).value
        hasRestored = true
        report(change, theirs[at: path]) { .restored($0) }
    }

    private mutating func report(
        _ change: ValueChange, _ value: JSON?, as code: (JSONConflict) -> SessionProblem.Code
    ) {
        let values = JSONConflict(path: change.path, base: change.old, ours: value, theirs: change.new)
        conflicts.append(SessionProblem(code(values), in: reconciler.file, hiding: reconciler.secrets))
    }
}
