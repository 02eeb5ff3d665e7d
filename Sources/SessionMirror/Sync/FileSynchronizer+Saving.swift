internal import DurableFiles
internal import Locking
internal import LosslessJSON

extension FileSynchronizer {
    /// What an update changes. Called while holding `updateLock`.
    var updateBase: AnySnapshotStorage { state.withLock { $0.updateBase } }

    /// Adopts a snapshot made by the program from ``updateBase``. Called while holding `updateLock`; the effects are
    /// performed after that.
    func updated(to snapshot: AnySnapshotStorage) -> PendingEffects { apply { $0.updated(to: snapshot, at: .now) } }

    /// Queues a request for a save. If `savingHere`, the calling thread saves, because it waits for the result anyway.
    func submit(_ request: SaveRequest, savingHere: Bool) {
        requests.add(request)
        if process(savingHere: savingHere, { $0.saveRequested(at: .now) }) { save() }
    }

    /// Whether memory has changes that the file does not have.
    var hasPendingChanges: Bool { state.withLock { $0.pending != nil } }

    /// Whether memory has changes that the file does not have, or is just being given.
    var needsSaving: Bool { state.withLock { $0.pending != nil || $0.activity == .saving } }

    /// Saves all pending changes and the changes of all waiting requests.
    func save() {
        var attempt: SaveAttempt? = beginAttempt()
        guard attempt != nil else {
            process { $0.saveSucceeded(nil, at: .now) }
            return
        }
        let began = Instant.now
        let failure = replace(with: &attempt!)
        let time = Instant.now - began
        measurements.withLock { $0.slowestSave = max($0.slowestSave, time) }
        // No update may come in before the state has decided.
        let excludesUpdates = attempt!.changesMemory(after: failure) || state.withLock { $0.tentativeResult != nil }
        if excludesUpdates { updateLock.lock() }
        if state.withLock({ $0.endTentativeResult() }) {
            if failure == nil { attempt!.transaction.acceptProposed() }
            attempt!.transaction.adoptChanges()
        }
        let completion = attempt!.completion(after: failure)
        // Releases the attempt's copy of the sync base, so that the state mutates it in place.
        attempt = nil
        let effects = finish(completion, failure)
        if excludesUpdates { updateLock.unlock() }
        // Before the delivery, which runs key paths and comparisons of user code: callers that wait for the disk do not
        // wait for those.
        for (request, error) in completion.result?.completedRequests ?? [] { request.completion(error) }
        perform(effects)
    }

    /// A running save.
    private struct SaveAttempt {
        var transaction: SaveTransaction
        var initialRequests: [SaveRequest]
        /// Whether changes of requests are applied each time the replacement asks for bytes.
        var appliesChanges: Bool

        /// Whether memory changes, or a conflict was decided.
        func changesMemory(after failure: SaveFailure?) -> Bool {
            let result = completion(after: failure).result
            return result.map { $0.snapshot !== $0.inputSnapshot || !$0.conflicts.isEmpty } ?? false
        }

        func completion(after failure: SaveFailure?) -> SaveCompletion {
            SaveCompletion(
                result: failure == nil ? transaction.result : transaction.confirmed,
                pendingRequests: failure == nil ? [] : transaction.pendingRequests + initialRequests)
        }
    }

    /// The outcome of a save.
    private struct SaveCompletion {
        let result: SaveResult?
        let pendingRequests: [SaveRequest]
    }

    /// Begins a save; nil if there is nothing to save.
    private func beginAttempt() -> SaveAttempt? {
        let initialRequests = requests.takeAll()
        return state.withLock { state in
            if initialRequests.isEmpty, state.pending == nil { return nil }
            let transaction = SaveTransaction(
                state.syncBase, saveSettings, isDurabilityUnknown: state.failedSave != nil)
            return SaveAttempt(
                transaction: transaction, initialRequests: initialRequests,
                appliesChanges: initialRequests.contains { $0.change != nil })
        }
    }

    /// Replaces the file; returns the reason if that fails.
    private func replace(with attempt: inout SaveAttempt) -> SaveFailure? {
        do {
            let marker = WriteMarker(WriteIntents.attributeName)
            var replacement = try loader.file.replace(
                limit: loader.parsing.sizeLimit, options: replaceOptions, marker: marker,
                lastAttributes: loader.attributes
            ) { found in try bytes(for: found, marker, &attempt) }
            // The session keeps the text already.
            replacement.contents = nil
            measurements.withLock { $0.lastSave = replacement }
            followUp(replacement)
            return nil
        } catch let failure as SaveFailure {
            return failure
        } catch let error as FileError {
            return failure(error, &attempt)
        } catch {
            return .failed(SessionProblem(.unsaved, in: path, "not saved: \(error)"))
        }
    }

    /// Schedules another save that merges what other programs still write to the displaced version.
    private func followUp(_ replacement: Replacement) {
        if replacement.versionsStillOpen > 0 { process { $0.reportWithoutRecovery(SessionProblem(stillOpen: path)) } }
        guard let time = replacement.recheckDelay else { return }
        pool.run(at: .now + .microseconds(time)) { [weak self] in
            self?.submit(SaveRequest(change: nil) { _ in }, savingHere: false)
        }
    }

    /// Includes requests that arrived meanwhile, unless that would mean waiting for `updateLock`.
    ///
    /// Changes are applied under `updateLock`, which is free again while the bytes are written: updates never wait for
    /// the disk. They build on the changes that are being written, so that none is lost.
    private func bytes(
        for found: FoundFile, _ marker: WriteMarker, _ attempt: inout SaveAttempt
    ) throws -> [UInt8]? {
        if attempt.appliesChanges {
            updateLock.lock()
        } else if requests.hasChanges {
            attempt.appliesChanges = updateLock.lockIfAvailable()
        }
        defer { if attempt.appliesChanges { updateLock.unlock() } }
        let others = attempt.appliesChanges ? requests.takeAll() : requests.takeFlushes()
        let all = attempt.initialRequests + others
        attempt.initialRequests = []
        let (isPublished, newest) = state.withLock { ($0.endTentativeResult(), $0.snapshot) }
        let intents = found.contents.map { WriteIntents(marker.found, with: digest(of: $0.bytes, marker)) }
        defer { if attempt.appliesChanges { beginTentativeResult(of: attempt.transaction) } }
        let bytes = try attempt.transaction.bytes(
            for: found, intents ?? WriteIntents(), newest: newest, isPublished: isPublished, requests: all, at: .now)
        marker.next = nil
        if let bytes, let proposed = attempt.transaction.proposed {
            let digest = marker.digest(of: bytes)
            marker.next = proposed.intents.marker(for: digest)
            _ = writtenText.withLock { text in
                defer { text = (proposed.document, digest) }
                return text
            }
        }
        return bytes
    }

    /// The digest of what the file has, which is mostly what was written last: a comparison takes a fraction of the time.
    private func digest(of bytes: [UInt8], _ marker: WriteMarker) -> Digest {
        if let last = writtenText.withLock({ $0 }), last.document.holds(bytes) {
            marker.remember(last.digest, of: bytes)
        }
        return marker.digest(of: bytes)
    }

    /// Lets updates build on the changes that are being written, or were before the save failed.
    private func beginTentativeResult(of transaction: SaveTransaction) {
        if let result = transaction.result { state.withLock { $0.changesApplied(result) } }
    }

    /// An error may occur after the bytes are in the file. Then they count as saved, but not as durable.
    private func failure(_ error: FileError, _ attempt: inout SaveAttempt) -> SaveFailure {
        if case .notDurable = error.code { return unconfirmed(error, &attempt) }
        if let proposed = attempt.transaction.proposed, proposed.changesFile,
            let contents = try? loader.file.read(
                limit: loader.parsing.sizeLimit, trustedOwners: loader.trustedOwners),
            proposed.document.holds(contents.bytes)
        {
            return unconfirmed(error, &attempt)
        }
        return .failed(SessionProblem(unsaved: error, in: path))
    }

    private func unconfirmed(_ error: FileError, _ attempt: inout SaveAttempt) -> SaveFailure {
        let problem = SessionProblem(notDurable: error, in: path)
        attempt.transaction.acceptProposed(failingRequestsWith: problem)
        return .failed(problem)
    }

    /// Applies the result to the state. What reached the file counts, whatever failed after that.
    ///
    /// Everything that compares large values or runs user code is computed before, so that the state does neither under
    /// its lock.
    private func finish(_ completion: SaveCompletion, _ failure: SaveFailure?) -> PendingEffects {
        let requestError = failure?.requestError
        if requestError == nil {
            for request in completion.pendingRequests { requests.add(request) }
        }
        let result = completion.result?.adjusted(for: state.withLock { $0.snapshot })
        var pending = apply { state in
            guard let failure else { return state.saveSucceeded(result, at: .now) }
            return state.saveFailed(
                failure, result: result, hasWaiters: !completion.pendingRequests.isEmpty, at: .now)
        }
        // Later ones may follow a change that the save did not have.
        if let requestError { pending.fail(completion.pendingRequests, with: requestError) }
        return pending
    }
}
