internal import DurableFiles
internal import Locking
internal import LosslessJSON

extension FileSynchronizer {
    /// Adopts a snapshot made by the program. Called while holding `updateLock`; the effects are performed after that.
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
        let completion = attempt!.completion(after: failure)
        // Releases the attempt's copy of the sync base, so that the state mutates it in place.
        attempt = nil
        finish(completion, failure)
    }

    /// A running save.
    private struct SaveAttempt {
        var transaction: SaveTransaction
        var initialRequests: [SaveRequest]
        var holdsUpdateLock: Bool

        func completion(after failure: SaveFailure?) -> SaveCompletion {
            SaveCompletion(
                result: failure == nil ? transaction.result : transaction.confirmed,
                pendingRequests: failure == nil ? [] : transaction.pendingRequests + initialRequests,
                holdsUpdateLock: holdsUpdateLock)
        }
    }

    /// The outcome of a save.
    private struct SaveCompletion {
        var result: SaveResult?
        let pendingRequests: [SaveRequest]
        var holdsUpdateLock: Bool
    }

    /// Begins a save; nil if there is nothing to save. A commit must not race with updates until its change is on the disk,
    /// so it takes `updateLock` first, before the file is locked.
    private func beginAttempt() -> SaveAttempt? {
        let initialRequests = requests.takeAll()
        let holdsUpdateLock = initialRequests.contains { $0.change != nil }
        if holdsUpdateLock { updateLock.lock() }
        return state.withLock { state in
            if initialRequests.isEmpty, state.pending == nil { return nil }
            let transaction = SaveTransaction(
                state.syncBase, saveSettings, isDurabilityUnknown: state.failedSave != nil)
            return SaveAttempt(
                transaction: transaction, initialRequests: initialRequests, holdsUpdateLock: holdsUpdateLock)
        }
    }

    /// Replaces the file; returns the reason if that fails.
    private func replace(with attempt: inout SaveAttempt) -> SaveFailure? {
        do {
            let marker = WriteMarker(WriteIntents.attributeName)
            let replacement = try loader.file.replace(
                limit: loader.parsing.sizeLimit, options: replaceOptions, marker: marker,
                lastAttributes: loader.attributes
            ) { found in try bytes(for: found, marker, &attempt) }
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
    private func bytes(
        for found: FoundFile, _ marker: WriteMarker, _ attempt: inout SaveAttempt
    ) throws -> [UInt8]? {
        if !attempt.holdsUpdateLock, requests.hasChanges { attempt.holdsUpdateLock = updateLock.lockIfAvailable() }
        let others = attempt.holdsUpdateLock ? requests.takeAll() : requests.takeFlushes()
        let all = attempt.initialRequests + others
        attempt.initialRequests = []
        let newest = state.withLock { $0.snapshot }
        let intents = found.contents.map { WriteIntents(marker.found, with: $0.bytes) } ?? WriteIntents()
        let bytes = try attempt.transaction.bytes(for: found, intents, newest: newest, requests: all, at: .now)
        marker.next = bytes.flatMap { attempt.transaction.proposed?.intents.marker(for: $0) }
        return bytes
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
    private func finish(_ before: SaveCompletion, _ failure: SaveFailure?) {
        var completion = before
        for request in completion.pendingRequests { requests.add(request) }
        if let result = completion.result {
            // If memory changes, or a conflict was decided, no update may come in before the state has decided.
            if !completion.holdsUpdateLock, result.snapshot !== result.inputSnapshot || !result.conflicts.isEmpty {
                updateLock.lock()
                completion.holdsUpdateLock = true
            }
            completion.result = result.adjusted(for: state.withLock { $0.snapshot })
        }
        let effects = apply { state in
            guard let failure else { return state.saveSucceeded(completion.result, at: .now) }
            return state.saveFailed(
                failure, result: completion.result, hasWaiters: !completion.pendingRequests.isEmpty, at: .now)
        }
        if completion.holdsUpdateLock { updateLock.unlock() }
        // Before the delivery, which runs key paths and comparisons of user code: callers that wait for the disk do not
        // wait for those.
        for (request, error) in completion.result?.completedRequests ?? [] { request.completion(error) }
        perform(effects)
    }
}
