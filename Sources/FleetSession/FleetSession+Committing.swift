internal import EtcdClient
internal import Locking
internal import LosslessJSON
internal import SessionMirror

extension FleetSession {
    /// Changes the value on all machines, in one atomic step among them: first in the store, then in the file of this
    /// machine.
    ///
    /// ```swift
    /// let number = try await fleet.commit { value in
    ///     value.nextOrder += 1
    ///     return value.nextOrder
    /// }
    /// ```
    ///
    /// `change` receives the newest value of the store, merged with what this machine has changed and not sent yet. It runs
    /// again if another machine was faster. When this returns, most members of the store have the change on disk, and it
    /// is in the value and the file of this machine, unless the file is invalid: then it is merged later.
    ///
    /// - Throws: The error of `change` or of the session's check; the `SessionProblem` of a value that this machine cannot
    ///   use; an ``EtcdError`` if the store could not be reached within ``FleetOptions/commitTimeout``, or earlier commits
    ///   took that long; a `CancellationError` if the task was cancelled before its turn. With the code
    ///   ``EtcdError/Code-swift.enum/uncertain`` the change may have been made, with others it was not.
    public func commit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) async throws -> Result {
        if synchronizer.inbox.isClosed { throw SessionError(.closed, "the synchronization was closed") }
        let deadline = Instant.now + synchronizer.options.commitTimeout
        return try await synchronizer.exclusively(until: deadline) {
            if synchronizer.inbox.isClosed { throw SessionError(.closed, "the synchronization was closed") }
            // Another process may have committed a moment ago. The changes of a file that cannot be loaded now wait.
            let isCurrent = (try? await synchronizer.loadFile()) ?? false
            let mergesFile = isCurrent || synchronizer.member.mirror.document == nil
            // The key has rarely changed since; if it has, the store answers with what it has.
            var stored = try synchronizer.lastStoredText
            var isRead = false
            var delay = RetryDelay(first: .milliseconds(1), longest: .seconds(1))
            while true {
                let start = Instant.now
                let proposal = try await synchronizer.proposal(
                    for: stored, mergingFile: mergesFile, until: deadline
                ) { tree in
                    try session.applying(change, to: tree)
                }
                if let outgoing = proposal.outgoing {
                    switch try await synchronizer.put(
                        outgoing, of: proposal.base, replacing: stored.keyRevision, proposal.common,
                        until: deadline)
                    {
                    case .stored(let revision):
                        await synchronizer.adopt(proposal, outgoing, revision: revision)
                        synchronizer.count(\.commits)
                        return proposal.result
                    case .outdated(let newer):
                        synchronizer.count(\.retries)
                        if .now >= deadline {
                            throw EtcdError(
                                .unreachable, "the change was not made: other machines were faster each time")
                        }
                        stored = newer
                        // The first time the value was only older than known. Later many machines commit at once; after
                        // the delay, what the store had before it is probably outdated as well.
                        if isRead {
                            await delay.wait(after: .now - start)
                            stored = try await synchronizer.store.read(until: deadline)
                        }
                    }
                } else if isRead {
                    await synchronizer.adopt(proposal, proposal.document, revision: stored.keyRevision)
                    synchronizer.count(\.commits)
                    return proposal.result
                } else {
                    // Nothing is written, so only a read tells whether the value was the newest one.
                    stored = try await synchronizer.store.read(until: deadline)
                }
                isRead = true
            }
        }
    }
}

/// A change of the text of the store.
struct Proposal<Result> {
    /// The last common text.
    let common: CommonText
    /// What the machine had and the change received, without stale values; nil if it received nothing of the machine.
    let ours: JSON?
    /// The base of the next merge if the answer to the outgoing text is lost: what that has of the machine.
    let base: JSONDocument
    /// What the store had.
    let stored: StoredText
    /// The text that the store has, or would have before the change.
    let document: JSONDocument
    /// What the machine and the store have, merged.
    let merged: FleetMerge.Result
    /// The changed tree.
    let tree: JSON
    /// The text to put; nil if the store has it.
    let outgoing: JSONDocument?
    let result: Result
}

extension FleetSynchronizer {
    /// The text that the store had last, as far as this machine knows.
    var lastStoredText: StoredText {
        get throws {
            let common = try directory.commonText()
            return StoredText(
                keyRevision: common.keyRevision, revision: common.revision,
                bytes: common.keyRevision == 0 ? nil : common.document?.bytes)
        }
    }

    /// Computes the next text of the store. Called while holding the locks of a step.
    ///
    /// - Parameter mergesFile: Whether to merge what the machine has and the store does not.
    fileprivate func proposal<Result>(
        for stored: StoredText, mergingFile mergesFile: Bool, until deadline: Instant,
        _ change: (JSON) throws -> (tree: JSON, result: Result)
    ) async throws -> Proposal<Result> {
        let common = try await settledCommonText(until: deadline)
        let found = try await document(of: stored)
        let document = try found ?? newDocument(common)
        let ours = member.current.json
        let meant = ours.reverting(staleChanges(in: ours, common))
        let merge = FleetMerge(
            base: mergesFile ? base(for: ours, common) : meant, theirs: document, settings: settings,
            localPaths: localPaths)
        let merged = acceptable(merge, with: meant)
        let (tree, result) = try change(merged.tree)
        let outgoing = try document.withChanges(of: tree, localPaths) ?? (found == nil ? document : nil)
        // A value that gave way is not in the text: if this process is killed, the next merge finds the conflict again.
        let contained = merged.conflicts.filter { $0.kept != $0.values.ours }.map(\.values).reduce(meant) {
            tree, conflict in
            conflict.path.isRoot ? conflict.base ?? .object([:]) : tree.with(conflict.base, at: conflict.path)
        }
        let former = try newDocument(common)
        let base =
            mergesFile
            ? try former.withChanges(of: contained, localPaths) ?? former
            : try common.document ?? JSONDocument(parsing: "{}", options: settings.parsing)
        return Proposal(
            common: common, ours: mergesFile ? meant : nil, base: base, stored: stored, document: document,
            merged: merged, tree: tree, outgoing: outgoing, result: result)
    }

    /// The text of a key that does not exist.
    private func newDocument(_ common: CommonText) throws -> JSONDocument {
        if let document = common.document ?? member.mirror.document { return localPaths.removed(from: document) }
        return try JSONDocument(parsing: "{}", options: settings.parsing)
    }

    /// Brings the text that the store has now into the file. What prevents that is not an error of the commit.
    fileprivate func adopt<Result>(_ proposal: Proposal<Result>, _ document: JSONDocument, revision: Int) async {
        let stored = StoredText(keyRevision: revision, revision: revision, bytes: document.bytes)
        let (before, after) = (proposal.merged.tree, proposal.tree)
        let changed = LocalPaths(paths: localPaths.paths.filter { before[at: $0] != after[at: $0] })
        do {
            await report(proposal.merged.conflicts, proposal.stored)
            try await adopt(document, stored, proposal.common, base: proposal.ours) {
                changed.replacing(in: $0, by: after)
            }
        } catch {
            inbox.add { $0.isRetryDue = true }
        }
    }
}
