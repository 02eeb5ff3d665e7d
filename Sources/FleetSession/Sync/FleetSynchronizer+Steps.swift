internal import EtcdClient
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

extension FleetSynchronizer {
    /// Reads the text of the store, merges it into the file, then sends what the store does not have. Returns the revision
    /// of the store that was read. That of the text may be older than the history that the store keeps.
    ///
    /// - Throws: If there is no connection. What only prevents the step is in the status.
    func firstStep() async throws -> Int {
        try await exclusively {
            let (stored, revision) = try await store.read(unless: lastStoredText)
            try await finishing { try await merge(stored, isCurrent: true) }
            return revision
        }
    }

    /// Merges a text that the watch has announced into the file, then sends what the store does not have.
    ///
    /// - Parameter stored: The newest text; nil if it has not changed.
    /// - Throws: If the connection was lost. What only prevents the step is in the status.
    func step(with stored: StoredText?) async throws {
        try await exclusively {
            try await finishing { if let stored { try await merge(stored, isCurrent: false) } }
        }
    }

    private func finishing(_ merge: () async throws -> Void) async throws {
        do {
            try await merge()
            try await send()
            finishStep(problem: nil)
        } catch let error as EtcdError {
            throw error
        } catch {
            finishStep(
                problem: error as? SessionProblem
                    ?? SessionProblem(.unsaved, in: settings.name, "not synchronized with the fleet: \(error)"))
        }
    }

    private func finishStep(problem: SessionProblem?) {
        let isBlocked = state.withLock { $0.unmerged != nil }
        if isBlocked { retry(after: .seconds(1)) }
        let common = try? directory.commonText()
        let document = member.mirror.document
        let stale = common.map { staleChanges(in: nil, $0) } ?? []
        // If no session has restored the values by then, the next step does.
        if !stale.isEmpty { retry(after: settings.staleWriteWindow + .milliseconds(10)) }
        changeStatus { status in
            status.problem = problem
            guard let common else { return }
            status.revision = common.revision
            status.isKeyMissing = common.revision > 0 && common.keyRevision == 0
            status.hasUnsentChanges =
                document.map { ((try? common.outgoing(for: $0, localPaths)) ?? nil) != nil } ?? false
        }
    }

    /// Tries again later, because no event may come when the file can be used again. One attempt waits at a time.
    private func retry(after delay: Duration) {
        let isFirst = state.withLock { state in
            defer { state.isRetryScheduled = true }
            return !state.isRetryScheduled
        }
        if !isFirst { return }
        Task { [weak self] in
            try? await Task.sleep(for: delay)
            self?.state.withLock { $0.isRetryScheduled = false }
            self?.inbox.add { $0.isRetryDue = true }
        }
    }

    /// The changes of this machine that are probably stale writes.
    ///
    /// - Parameter tree: What the machine has; nil for the file.
    func staleChanges(in tree: JSON?, _ common: CommonText) -> [ValueChange] {
        guard !common.replacedValues.isEmpty, let file = member.mirror.document?.value else { return [] }
        // Values that are local to the machine are meant, whatever the store has.
        let shared = localPaths.replacing(in: tree ?? file, by: common.document?.value ?? .object([:]))
        return common.staleChanges(
            in: shared, file: file, since: directory.windowStart(ofFile: settings.absolutePath), member.intendedValues()
        )
    }

    /// Stale writes that no session has restored by the end of the window: the one that has merged the newer values has
    /// ended, for example.
    private func overdueStaleChanges(_ common: CommonText) -> [ValueChange] {
        let start = directory.windowStart
        return staleChanges(in: nil, common).filter {
            !common.replacedValues.contains($0.new, at: $0.path, since: start)
        }
    }

    private func restore(_ changes: [ValueChange]) async throws {
        let restored = Lock<[ValueChange]>([])
        try await member.commit(replacingText: nil) { ours in
            let found = changes.filter { ours[at: $0.path] == $0.new }
            restored.withLock { $0 = found }
            return ours.reverting(found)
        }
        reportRestored(restored.withLock { $0 })
    }

    private func reportRestored(_ changes: [ValueChange]) {
        for change in changes {
            let values = JSONConflict(path: change.path, base: nil, ours: change.old, theirs: change.new)
            member.report(SessionProblem(.restored(values), in: settings.name, hiding: settings.secrets))
        }
    }

    /// The base of a merge with what the session has: none if it has not loaded the file, because then it has only what
    /// the program has set.
    func base(for tree: JSON, _ common: CommonText) -> JSON? {
        let isLoaded = member.mirror.document != nil || tree != .object([:]) && hasFile
        return isLoaded ? common.document?.value : nil
    }

    private var hasFile: Bool { access(settings.absolutePath, F_OK) == 0 }

    /// Loads what the file has now, which another process may have written a moment ago, and saves pending changes.
    ///
    /// - Returns: Whether there is a file. Otherwise nothing is done.
    /// - Throws: If the file cannot be read or locked, or has no valid value.
    func loadFile() async throws -> Bool {
        // A commit would create the file.
        if !hasFile { return false }
        try await member.commit(replacingText: nil) { $0 }
        return true
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

    /// The common text. If a text was sent and the answer was lost, the store tells now whether it has taken it. Then
    /// what the machine had is the base, and the text of the store remains to be merged.
    func settledCommonText(until deadline: Instant = .now) async throws -> CommonText {
        var common = try directory.commonText()
        guard let put = common.pendingPut else { return common }
        if try await store.hasTaken(put, until: deadline) { common.document = put.base }
        common.pendingPut = nil
        try await setCommonText(common)
        return common
    }

    /// Puts a text that replaces the one with the revision `keyRevision`. If the answer is lost, or the process is
    /// killed, the next step asks what became of the text.
    ///
    /// - Parameter base: What the machine has, which the text contains.
    func put(
        _ document: JSONDocument, of base: JSONDocument, replacing keyRevision: Int, _ common: CommonText,
        until deadline: Instant
    ) async throws -> FleetStore.PutResult {
        let record = CommitRecord(by: options.machine)
        var sent = common
        sent.pendingPut = PendingPut(identifier: record.identifier, replacedRevision: keyRevision, base: base)
        try await setCommonText(sent, isDurable: false)
        do throws(EtcdError) {
            let result = try await store.put(document.bytes, replacing: keyRevision, as: record, until: deadline)
            if case .outdated = result { try? await setCommonText(common, isDurable: false) }
            return result
        } catch {
            if error.code != .uncertain { try? await setCommonText(common, isDurable: false) }
            throw error
        }
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

    /// Sends what the file has and the store does not. Called while holding the locks of a step.
    private func send() async throws {
        while !inbox.isClosed, state.withLock({ $0.unmerged == nil }) {
            let common = try await settledCommonText()
            if try outgoing(common) == nil, overdueStaleChanges(common).isEmpty { return }
            // What another process has written must not be sent as it was before.
            do {
                guard try await loadFile() else { return retry(after: .seconds(1)) }
                let stale = overdueStaleChanges(common)
                if !stale.isEmpty { try await restore(stale) }
            } catch {
                retry(after: .seconds(1))
                // The session reports it.
                if case .invalid = member.mirror.status.content { return }
                throw error
            }
            guard let outgoing = try outgoing(common) else { return }
            let result: FleetStore.PutResult
            do {
                result = try await put(
                    outgoing, of: outgoing, replacing: common.keyRevision, common, until: .now)
            } catch let error as EtcdError {
                // The store would refuse it again.
                guard [.tooLarge, .permissionDenied, .rejected].contains(error.code) else { throw error }
                throw SessionProblem(.unsaved, in: settings.name, "not sent to the fleet: \(error.message)")
            }
            switch result {
            case .stored(let revision):
                try await setCommonText(
                    CommonText(
                        document: outgoing, revision: revision, keyRevision: revision,
                        replacedValues: common.replacedValues))
                count(\.sends)
            case .outdated(let stored):
                count(\.retries)
                try await merge(stored, isCurrent: true)
            }
        }
    }

    /// The text for the store that has the changes of the file; nil if there are none.
    func outgoing(_ common: CommonText) throws(JSONEditError) -> JSONDocument? {
        guard let document = member.mirror.document else { return nil }
        return try common.outgoing(for: document, localPaths, except: staleChanges(in: nil, common))
    }

    func setCommonText(_ text: CommonText, isDurable: Bool = true) async throws {
        try await BlockingWork.run { [directory] in try directory.setCommonText(text, isDurable: isDurable) }
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
