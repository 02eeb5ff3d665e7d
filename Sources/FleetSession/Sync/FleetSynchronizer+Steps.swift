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

    var hasFile: Bool { access(settings.absolutePath, F_OK) == 0 }

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
}
