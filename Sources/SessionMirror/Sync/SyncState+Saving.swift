internal import Locking
internal import LosslessJSON

// Events of the value in memory and of saves.
extension SyncState {
    /// The program has created another version.
    mutating func updated(to snapshot: AnySnapshotStorage, at moment: Instant) -> [Effect] {
        let adopted = adoptTentativeResult()
        syncBase.snapshot = snapshot
        blocker = nil
        pending = Pending(began: pending?.began ?? moment, latest: moment, isUrgent: pending?.isUrgent ?? false)
        return adopted + [.publish(snapshot)] + updateSavingStatus() + nextEffects(at: moment)
    }

    /// What the next update changes: the changes that are being written, or else the value in memory.
    var updateBase: AnySnapshotStorage {
        isTentativeResultPublished ? snapshot : tentativeResult?.snapshot ?? snapshot
    }

    /// The changes of requests were applied, and are about to be written. Updates build on them, unless memory has
    /// them.
    mutating func changesApplied(_ result: SaveResult) {
        if result.inputSnapshot === snapshot { tentativeResult = result }
    }

    /// Adopts the changes that are being written, because an update is built on them.
    private mutating func adoptTentativeResult() -> [Effect] {
        guard let tentativeResult, !isTentativeResultPublished else { return [] }
        isTentativeResultPublished = true
        let freeOutdated = freeOutdated
        if let found = tentativeResult.found { (syncBase.document, syncBase.baseTree) = (found, found.value) }
        if tentativeResult.snapshot === snapshot { return [freeOutdated] + report(tentativeResult.conflicts) }
        let publications = (tentativeResult.intermediate + [tentativeResult.snapshot]).map { Effect.publish($0) }
        return [freeOutdated] + publications + report(tentativeResult.conflicts)
    }

    /// The changes were written, or will not be. Returns whether an update was built on them, so that memory has them.
    mutating func endTentativeResult() -> Bool {
        defer { (tentativeResult, isTentativeResultPublished) = (nil, false) }
        return isTentativeResultPublished
    }

    /// The session was released: pending changes are saved as soon as possible.
    mutating func released(at moment: Instant) -> [Effect] {
        pending?.isUrgent = true
        return nextEffects(at: moment)
    }

    /// A caller waits for a save.
    mutating func saveRequested(at moment: Instant) -> [Effect] {
        if isClosed { return [.failRequests(SessionError.closed)] }
        isSaveRequested = true
        return nextEffects(at: moment)
    }

    /// A save has succeeded: the file has what memory had, merged with the changes of others. `result` was adjusted for
    /// what memory has now; it is nil if there was nothing to save.
    mutating func saveSucceeded(_ result: SaveResult?, at moment: Instant) -> [Effect] {
        if isClosed { return [] }
        activity = .none
        (failedSave, disagreementBegan) = (nil, nil)
        return unblocked() + (result.map { adopt($0) } ?? updateSavingStatus()) + nextEffects(at: moment)
    }

    /// A save has failed. `result` is what reached the file before that, if anything. Its requests fail with
    /// ``SaveFailure/requestError``, or keep waiting, because the content of an unusable file may be incomplete. Those
    /// that came later start another save.
    mutating func saveFailed(
        _ failure: SaveFailure, result: SaveResult? = nil, hasWaiters: Bool, at moment: Instant
    ) -> [Effect] {
        if isClosed { return [.failRequests(SessionError.closed)] }
        activity = .none
        if case .failed(let problem) = failure {
            recordFailure(problem, hasResult: result != nil, at: moment)
        } else if result != nil {
            failedSave = nil
        }
        var effects = result.map { adopt($0, isDurable: failedSave == nil) } ?? updateSavingStatus()
        switch failure {
        case .unusableFile(let loadResult):
            if hasWaiters { effects += keepWaiting(at: moment) }
            effects += handleLoadResult(ofSave: loadResult, at: moment)
        case .blocked(let problem, let snapshot):
            // An update that overtook the save may be written.
            if snapshot === self.snapshot { effects += blocked(by: problem) }
        case .failed: break
        }
        return effects + nextEffects(at: moment)
    }

    /// Keeps requests waiting for the next load or save, but not forever: if loads and saves never agree on the file,
    /// nothing else ends the wait.
    private mutating func keepWaiting(at moment: Instant) -> [Effect] {
        let began = disagreementBegan ?? moment
        isSaveRequested = moment < began + Self.maxDisagreement
        disagreementBegan = isSaveRequested ? began : nil
        if isSaveRequested { return [] }
        let message = "not saved: saves find the file missing or invalid, loads do not"
        return [.failRequests(SessionError(.timedOut, message))]
    }

    static var maxDisagreement: Duration { .seconds(60) }

    private mutating func adopt(_ result: SaveResult, isDurable: Bool = true) -> [Effect] {
        metrics.saves += result.changesFile ? 1 : 0
        metrics.merges += result.isMerge ? 1 : 0
        if result.isMissing {
            if result.inputSnapshot === snapshot, isDurable { pending = nil }
            return settle(on: .missing)
        }
        let freeOutdated = freeOutdated
        syncBase.document = result.document
        syncBase.ownWrites.append(result.records)
        let before = pending
        let isNewest = result.inputSnapshot === snapshot
        let effects = isNewest ? advanceBase(to: result) + report(result.conflicts) : advanceBaseOnly(to: result)
        if !isDurable { pending = before }
        // With the conditional operator, nil would be the JSON value null.
        let memory: JSON? = if isNewest { result.document.value } else { nil }
        let warnings = warn(of: result.document, memory: memory, result.unknownKeys)
        return [freeOutdated] + effects + warnings + settle(on: .good)
    }

    /// Schedules the next attempt after 1 s, 2 s, 4 s and so on, up to 64 s.
    private mutating func recordFailure(_ problem: SessionProblem, hasResult: Bool, at moment: Instant) {
        metrics.failedSaves += 1
        // The caller of a failed commit gets the error. Only content that reached the file without being durable must
        // be saved again.
        if pending == nil, !hasResult { return }
        pending = pending ?? Pending(began: moment, latest: moment)
        // A requested save does not postpone the next attempt.
        if let failedSave, moment < failedSave.nextAttempt {
            self.failedSave = FailedSave(
                problem: problem, attempts: failedSave.attempts, nextAttempt: failedSave.nextAttempt)
        } else {
            let attempts = (failedSave?.attempts ?? 0) + 1
            failedSave = FailedSave(
                problem: problem, attempts: attempts, nextAttempt: moment + .seconds(1 << min(attempts - 1, 6)))
        }
    }

    private mutating func handleLoadResult(ofSave loadResult: LoadResult, at moment: Instant) -> [Effect] {
        switch loadResult {
        case .missing: suspect(.missing, at: moment)
        case .invalid(let problem, .incomplete): suspect(.invalid(problem), at: moment)
        case .invalid(let problem, .blank): suspect(.invalid(problem), isBlank: true, at: moment)
        case .invalid(let problem, _): settle(on: .invalid(problem))
        case .loaded, .unchanged, .blocked: []
        }
    }

    /// Adopts the saved snapshot. Memory has not changed during the save.
    private mutating func advanceBase(to result: SaveResult) -> [Effect] {
        syncBase.baseTree = result.document.value
        syncBase.snapshot = result.snapshot
        snapshot.markWritten(as: result.document)
        pending = nil
        if result.snapshot === result.inputSnapshot { return [] }
        return result.intermediate.map { .publish($0) } + [.publish(snapshot)]
    }

    /// Adopts what was saved as the base only. Memory has changed during the save; a load merges what the save found.
    private mutating func advanceBaseOnly(to result: SaveResult) -> [Effect] {
        syncBase.baseTree = result.inputTree
        if result.isFileAhead { isLoadDue = true }
        if let pending {
            self.pending = Pending(began: pending.latest, latest: pending.latest, isUrgent: pending.isUrgent)
        }
        return report(result.conflicts)
    }

    /// Reports a problem that has no end.
    func reportWithoutRecovery(_ problem: SessionProblem) -> [Effect] { isClosed ? [] : [.report(.problem(problem))] }

    /// Stops saving until memory or the file changes, because the value in memory cannot be written.
    mutating func blocked(by problem: SessionProblem) -> [Effect] {
        let isNew = reportedBlocker.map { !$0.readsLike(problem) } ?? true
        (blocker, reportedBlocker) = (problem, problem)
        return (isNew ? [.report(.problem(problem))] : []) + updateSavingStatus()
    }

    /// Allows saving again.
    mutating func unblocked() -> [Effect] {
        defer { (blocker, reportedBlocker) = (nil, nil) }
        return reportedBlocker.map { [.report(.recovered($0))] } ?? []
    }

    var savingStatus: MirrorStatus.Saving {
        if pending == nil { return .clean }
        if status.content.problem != nil || blocker != nil { return .blocked }
        return failedSave.map { .failing($0.problem) } ?? .pending
    }

    mutating func updateSavingStatus() -> [Effect] {
        let effects = reportFailureChange()
        if status.saving == savingStatus { return effects }
        status.saving = savingStatus
        return effects + [.report(.status(status))]
    }

    /// Reports a failed save, or the end of the failure. The problem stands until a save succeeds, also while saving is
    /// blocked and none is attempted.
    mutating func reportFailureChange() -> [Effect] {
        let before = reportedFailure
        reportedFailure = failedSave?.problem
        if reportedFailure == before { return [] }
        return [.report(reportedFailure.map { .problem($0) } ?? .recovered(before!))]
    }

    /// Starts a due save; otherwise requests a wake-up at the time it becomes due.
    mutating func nextSaveEffects(at moment: Instant) -> [Effect] {
        if isSaveDue(at: moment) { return startSave() }
        guard suspectContent == nil, let due = saveDue else { return [] }
        if let saveTimer, saveTimer <= due { return [] }
        saveTimer = due
        return [.wake(at: due)]
    }

    /// Whether a save is requested or its time has come. Content that may be incomplete is waited for.
    func isSaveDue(at moment: Instant) -> Bool {
        if suspectContent != nil { return false }
        return isSaveRequested || saveDue.map { moment >= $0 } ?? false
    }

    private mutating func startSave() -> [Effect] {
        (isSaveRequested, activity, hasLoadedSinceSave) = (false, .saving, false)
        return [.save]
    }

    private var saveDue: Instant? {
        guard let pending, status.content.problem == nil, blocker == nil else { return nil }
        if let failedSave { return failedSave.nextAttempt }
        if pending.isUrgent { return pending.began }
        return min(pending.latest + timing.savingDelay, pending.began + timing.savingLimit)
    }
}
