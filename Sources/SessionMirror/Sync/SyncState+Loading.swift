internal import Locking
internal import LosslessJSON

// Events of the file.
extension SyncState {
    /// The initial load has finished. Nothing was published before, so invalid content need not settle.
    mutating func initialLoadFinished(_ result: LoadResult) -> [Effect] {
        syncBase.isInitial = false
        syncBase.acceptsBlankText = false
        activity = .none
        switch result {
        case .loaded(let reconciliation):
            advanceBase(to: reconciliation)
            syncBase.acceptsBlankText = reconciliation.document.isBlank
            status.content = .good
            // Whoever observes begins with them.
            _ = warn(of: reconciliation.document, memory: reconciliation.tree, reconciliation.unknownKeys)
            return [.publish(snapshot)] + nextEffects(at: lastFileEvent)
        case .unchanged, .blocked: status.content = .good
        case .missing: status.content = .missing
        case .invalid(let problem, let permanence):
            syncBase.isMissing = false
            metrics.rejectedLoads += 1
            status.content = .invalid(problem)
            if permanence == .transient { return [retryLoad(after: lastFileEvent)] + nextEffects(at: lastFileEvent) }
        }
        return nextEffects(at: lastFileEvent)
    }

    /// The file has changed, or may have.
    mutating func fileChanged(at moment: Instant) -> [Effect] {
        if isClosed { return [] }
        lastFileEvent = moment
        isLoadDue = true
        return nextEffects(at: moment)
    }

    /// A load has finished.
    mutating func loadFinished(_ result: LoadResult, at moment: Instant) -> [Effect] {
        metrics.loads += 1
        if isClosed { return [] }
        activity = .none
        loadRetry = nil
        return handle(result, at: moment) + nextEffects(at: moment)
    }

    /// A requested wake-up is due; harmless at any other moment.
    mutating func timePassed(at moment: Instant) -> [Effect] {
        if isClosed { return [] }
        if let saveTimer, moment >= saveTimer { self.saveTimer = nil }
        if let loadRetry, moment >= loadRetry, activity == .none { isLoadDue = true }
        var effects: [Effect] = []
        if activity == .none, !isLoadDue, let suspectContent { effects = recheck(suspectContent, at: moment) }
        return effects + nextEffects(at: moment)
    }

    /// The watch has switched between events and polling.
    mutating func watchingChanged(to watching: MirrorStatus.Watching) -> [Effect] {
        guard !isClosed, watching != status.watching else { return [] }
        status.watching = watching
        return [.report(.status(status))]
    }

    /// The synchronization with other machines has another status.
    mutating func fleetChanged(to fleet: FleetStatus?) -> [Effect] {
        guard !isClosed, fleet != status.fleet else { return [] }
        let (before, problem) = (status.fleet?.problem, fleet?.problem)
        status.fleet = fleet
        var effects: [Effect] = []
        if problem != before {
            if let problem {
                effects.append(.report(.problem(problem)))
            } else if let before {
                effects.append(.report(.recovered(before)))
            }
        }
        return effects + [.report(.status(status))]
    }

    /// The session was closed. All later events are ignored.
    mutating func closed() -> [Effect] {
        if isClosed { return [] }
        let effects = watchingChanged(to: .notWatching)
        (isClosed, pending, activity) = (true, nil, .none)
        return effects + [.failRequests(SessionError.closed)]
    }
}

extension SyncState {
    /// Starts a due load or save, if none is running.
    mutating func nextEffects(at moment: Instant) -> [Effect] {
        guard activity == .none, !isClosed else { return [] }
        // A save reads the file itself. Continuous events must not delay it.
        if isLoadDue, !(hasLoadedSinceSave && isSaveDue(at: moment)) {
            (isLoadDue, loadRetry, activity, hasLoadedSinceSave) = (false, nil, .loading, true)
            return [.load(exclusively: lostRaces >= 3)]
        }
        return nextSaveEffects(at: moment)
    }

    private mutating func handle(_ result: LoadResult, at moment: Instant) -> [Effect] {
        switch result {
        case .loaded(let reconciliation): return adopt(reconciliation, at: moment)
        case .unchanged:
            syncBase.isMissing = false
            return settle(on: .good)
        case .missing: return suspect(.missing, at: moment)
        case .invalid(let problem, .permanent): return settle(on: .invalid(problem))
        case .invalid(let problem, .incomplete): return suspect(.invalid(problem), at: moment)
        case .invalid(let problem, .blank): return suspect(.invalid(problem), isBlank: true, at: moment)
        case .invalid(let problem, .transient):
            return suspect(.invalid(problem), at: moment) + [retryLoad(after: moment)]
        case .blocked(let problem, let snapshot):
            if snapshot !== self.snapshot { return loadAgain() }
            return settle(on: .good) + blocked(by: problem)
        }
    }

    /// Publishes the reconciled snapshot, unless an update overtook the load; then the file is loaded again.
    private mutating func adopt(_ reconciliation: Reconciliation, at moment: Instant) -> [Effect] {
        guard reconciliation.inputSnapshot === snapshot else { return loadAgain() }
        let isChanged = reconciliation.snapshot !== snapshot
        if isChanged { metrics.reloads += 1 }
        if isChanged, pending != nil { metrics.merges += 1 }
        let freeOutdated = freeOutdated
        advanceBase(to: reconciliation)
        setPending(reconciliation, at: moment)
        let reports = (isChanged ? [.publish(snapshot)] : []) + report(reconciliation.conflicts)
        let warnings = warn(of: reconciliation.document, memory: reconciliation.tree, reconciliation.unknownKeys)
        return [freeOutdated] + reports + warnings + unblocked() + settle(on: .good)
    }

    /// Loads the file once more, because an update overtook the load.
    private mutating func loadAgain() -> [Effect] {
        lostRaces += 1
        isLoadDue = true
        return []
    }

    private mutating func setPending(_ reconciliation: Reconciliation, at moment: Instant) {
        guard reconciliation.isPending else {
            (pending, failedSave) = (nil, nil)
            return
        }
        var pending = pending ?? Pending(began: moment, latest: moment)
        if reconciliation.hasRestored { pending.isUrgent = true }
        self.pending = pending
    }

    private mutating func advanceBase(to reconciliation: Reconciliation) {
        lostRaces = 0
        syncBase.document = reconciliation.document
        syncBase.isMissing = false
        syncBase.baseTree = reconciliation.document.value
        syncBase.snapshot = reconciliation.snapshot
        syncBase.ownWrites.append(reconciliation.records)
    }

    private mutating func retryLoad(after moment: Instant) -> Effect {
        let next = moment + .seconds(1)
        loadRetry = next
        return .wake(at: next)
    }

    /// Waits until the writer has left invalid content alone for the settling time, or the settling limit has passed.
    mutating func suspect(_ content: MirrorStatus.Content, isBlank: Bool = false, at moment: Instant) -> [Effect] {
        if content == status.content { return settle(on: content) }
        let began = suspectContent?.began ?? moment
        let settled = max(lastFileEvent, began) + timing.settlingTime
        // While a problem is reported already, the next one may wait: a file that grows for minutes is reported once.
        let isUrgent = status.content.problem == nil || isSaveRequested
        let deadline = isUrgent ? min(settled, began + timing.settlingLimit) : settled
        if moment >= deadline { return isBlank ? acceptBlankText() : settle(on: content) }
        let wasReloaded = suspectContent?.wasReloaded ?? false
        suspectContent = SuspectContent(content: content, began: began, isBlank: isBlank, wasReloaded: wasReloaded)
        return [.wake(at: deadline)]
    }

    /// Without a watch no event tells that the writer has finished, so the file is loaded once more.
    private mutating func recheck(_ suspectContent: SuspectContent, at moment: Instant) -> [Effect] {
        if status.watching == .notWatching, !suspectContent.wasReloaded,
            moment >= suspectContent.began + timing.settlingTime
        {
            self.suspectContent?.wasReloaded = true
            isLoadDue = true
            return []
        }
        return suspect(suspectContent.content, isBlank: suspectContent.isBlank, at: moment)
    }

    /// Lets the next load or save take the text without a value as an empty object.
    private mutating func acceptBlankText() -> [Effect] {
        suspectContent = nil
        (syncBase.acceptsBlankText, isLoadDue) = (true, true)
        return []
    }

    /// Accepts the content as final and reports what changed.
    mutating func settle(on content: MirrorStatus.Content) -> [Effect] {
        suspectContent = nil
        syncBase.isMissing = content == .missing
        syncBase.acceptsBlankText = content == .good && syncBase.document?.isBlank == true
        let failure = failRequests(for: content)
        if content == status.content { return failure + updateSavingStatus() }
        let before = status.content.problem
        status.content = content
        status.saving = savingStatus
        var effects = failure + reportFailureChange()
        if content == .missing { effects += replaceWarnings(by: []) }
        if let problem = content.problem {
            metrics.rejectedLoads += 1
            effects.append(.report(.problem(problem)))
        } else if let before {
            effects.append(.report(.recovered(before)))
        }
        return effects + [.report(.status(status))]
    }

    /// Fails the requests that wait for a save if the content is invalid, because then nothing is saved.
    private mutating func failRequests(for content: MirrorStatus.Content) -> [Effect] {
        guard isSaveRequested, let problem = content.problem else { return [] }
        isSaveRequested = false
        return [.failRequests(problem)]
    }

    mutating func report(_ conflicts: [SessionProblem]) -> [Effect] {
        metrics.conflicts += conflicts.count
        return conflicts.map { .report(.problem($0)) }
    }
}
