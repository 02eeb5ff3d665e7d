internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// From the store into the file.
extension FleetSynchronizer {
    /// Merges a text of the store into the file. Called while holding the locks of a step.
    ///
    /// - Parameter isCurrent: Whether the text was read while holding the locks. Otherwise it may be older than the common
    ///   text, and then it is ignored.
    /// - Throws: The `SessionProblem` that prevents it; the text is merged later.
    func merge(_ stored: StoredText, isCurrent: Bool) async throws {
        let common = try await settledCommonText()
        let isNew = isCurrent ? stored.keyRevision != common.keyRevision : stored.revision > common.revision
        guard isNew || common.revision == 0 else { return setUnmerged(nil) }
        setUnmerged(stored)
        guard let document = try await document(of: stored) else { return try await merge(deletion: stored, common) }
        try await adopt(document, stored, common)
    }

    /// Parses a text of the store; nil if the key does not exist.
    func document(of stored: StoredText) async throws -> JSONDocument? {
        guard let bytes = stored.bytes else { return nil }
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: bytes, options: settings.parsing)
        } catch {
            let error = settings.secrets.redacting(error)
            throw SessionProblem(
                .syntax, in: await name(of: stored), error.message, location: error.location, excerpt: error.excerpt)
        }
    }

    /// Merges a text that the store has into the file, and makes it the common text.
    ///
    /// - Parameters:
    ///   - base: What of the machine was merged into the text before; nil for the common text.
    ///   - edit: Changes the merged tree.
    func adopt(
        _ document: JSONDocument, _ stored: StoredText, _ common: CommonText, base: JSON? = nil,
        edit: @escaping @Sendable (JSON) -> JSON = { $0 }
    ) async throws {
        setUnmerged(stored)
        try requireKnownFile(common)
        let result = Lock<(merged: FleetMerge.Result, restored: [ValueChange])?>(nil)
        do {
            try await member.commit(replacingText: TextReplacement(of: common.document, by: document)) { ours in
                let stale = self.staleChanges(in: ours, common)
                let merge = FleetMerge(
                    base: base ?? self.base(for: ours, common), theirs: document, settings: self.settings,
                    localPaths: self.localPaths)
                let merged = self.acceptable(merge, with: ours.reverting(stale))
                result.withLock { $0 = (merged, stale) }
                return edit(merged.tree)
            }
        } catch let problem as SessionProblem {
            // The value of the store itself may be what this machine rejects.
            let name = await name(of: stored)
            throw member.problem(of: document, in: name) ?? problem
        }
        var next = CommonText(
            document: document, revision: stored.revision, keyRevision: stored.keyRevision,
            replacedValues: common.replacedValues)
        let (merged, restored) = result.withLock { ($0?.merged, $0?.restored ?? []) }
        if let before = base ?? common.document?.value {
            let shared = localPaths.replacing(in: before, by: document.value)
            next.replacedValues.add(ValueChange.list(from: shared, to: document.value), at: directory.now)
        }
        try await setCommonText(next)
        setUnmerged(nil)
        count(\.merges)
        reportRestored(restored)
        await report(merged?.conflicts ?? [], stored)
    }

    /// The base of a merge with what the session has: none if it has not loaded the file, because then it has only what
    /// the program has set.
    func base(for tree: JSON, _ common: CommonText) -> JSON? {
        let isLoaded = member.mirror.document != nil || tree != .object([:]) && hasFile
        return isLoaded ? common.document?.value : nil
    }

    /// - Throws: If the file is missing, and what the session has loaded of it is not the common text: then it is unknown
    ///   whether the machine has changed that, or another process has written newer values before the file went away.
    private func requireKnownFile(_ common: CommonText) throws {
        guard let document = member.mirror.document, let base = common.document?.value, !hasFile,
            localPaths.replacing(in: document.value, by: base) != base
        else { return }
        throw SessionProblem(
            .unsaved, in: settings.name, "values of the fleet are not merged into the file while it is missing")
    }

    /// Reports conflicts with a text of the store.
    func report(_ conflicts: [FleetMerge.Conflict], _ stored: StoredText) async {
        if conflicts.isEmpty { return }
        count(\.conflicts, by: conflicts.count)
        let author = await store.author(of: stored)
        for conflict in conflicts {
            member.report(SessionProblem(conflict, by: author, in: settings.name, settings.secrets))
        }
    }

    /// Merges, or returns the value of one side, if the session accepts that and not what both give together.
    func acceptable(_ merge: FleetMerge, with ours: JSON) -> FleetMerge.Result {
        let merged = merge.merged(with: ours)
        let theirs = merge.theirs(for: ours)
        if merged.tree == theirs || merged.tree == ours || member.problem(of: merged.tree) == nil { return merged }
        if member.problem(of: theirs) != nil { return merged }
        let values = JSONConflict(path: JSONPointer(), base: merge.base, ours: ours, theirs: theirs)
        let kept = settings.resolve(values) ?? theirs
        return FleetMerge.Result(tree: kept, conflicts: [FleetMerge.Conflict(values: values, kept: kept)])
    }

    private func merge(deletion stored: StoredText, _ common: CommonText) async throws {
        let isCreatedAgain = options.deletedKey == .recreateKey
        // Without a base, all of the file is sent.
        try await setCommonText(
            CommonText(
                document: isCreatedAgain ? nil : common.document, revision: stored.revision, keyRevision: 0))
        setUnmerged(nil)
    }

    /// What problems call a text of the store.
    private func name(of stored: StoredText) async -> String {
        let name = "\(store.keys.text) in etcd, revision \(stored.keyRevision)"
        return await store.author(of: stored).map { "\(name), by \($0)" } ?? name
    }
}

extension SessionProblem {
    /// This machine and another one changed the same value.
    fileprivate init(
        _ fleetConflict: FleetMerge.Conflict, by author: String?, in file: String, _ secrets: JSONSecrets
    ) {
        let (conflict, kept) = (fleetConflict.values, fleetConflict.kept)
        func summary(_ value: JSON?) -> String {
            secrets.summary(of: value, at: conflict.path)
        }
        let subject = conflict.path.isRoot ? "the whole value" : "\"\(conflict.path.inMessage)\""
        let decision =
            if kept == conflict.theirs {
                "kept the other machine's value"
            } else if kept == conflict.ours {
                "kept this machine's value"
            } else {
                "changed to \(summary(kept))"
            }
        self.init(
            .conflict(conflict), in: file, at: conflict.path,
            "\(subject) was changed to \(summary(conflict.ours)) on this machine and to \(summary(conflict.theirs))"
                + " by \(author ?? "another machine"): \(decision)")
    }
}
