import DurableFiles
import Locking
import LosslessJSON

@testable import SessionMirror

/// A running save, like those of `FileSynchronizer`.
struct SimulatedSave {
    var save: SaveTransaction
    /// The requests that waited when it began.
    var first: [SaveRequest]
    /// Whether it applies changes of requests.
    var appliesChanges = false
    /// The `stamp` of the file that the bytes were made for.
    var stamp = 0
    var bytes: [UInt8]?
    /// The own bytes that have been in the file.
    var confirmed: [UInt8]?
    var failure: SaveFailure?
}

// Jobs, step by step.
extension SavingSimulation {
    var isJobDue: Bool {
        switch job {
        case .loadDue, .saveDue: true
        case .none, .load, .save: false
        }
    }

    var isJobBegun: Bool {
        switch job {
        case .load, .save: true
        case .none, .loadDue, .saveDue: false
        }
    }

    /// Whether an update would wait.
    var isUpdateLockHeld: Bool {
        switch job {
        case .load(_, let isExclusive): isExclusive
        case .none, .loadDue, .saveDue, .save: false
        }
    }

    mutating func beginJob() {
        switch job {
        case .loadDue(let isExclusive):
            job = .load(file.loadResult(from: state.syncBase, by: reconciler, at: now), exclusively: isExclusive)
        case .saveDue: beginSave()
        case .none, .load, .save: break
        }
    }

    /// Runs one step of the job. A save needs several steps if the file changed meanwhile.
    mutating func stepJob() {
        switch job {
        case .load(let loadResult, _):
            job = .none
            perform(state.loadFinished(loadResult, at: now))
        case .save(let run): step(run)
        case .none, .loadDue, .saveDue: break
        }
    }

    private mutating func beginSave() {
        let first = takeRequests()
        if first.isEmpty, state.pending == nil {
            job = .none
            perform(state.saveSucceeded(nil, at: now))
            return
        }
        let settings = SaveTransaction.Settings(reconciler: reconciler, parsing: .init(), newFile: .changedKeys)
        var run = SimulatedSave(
            save: SaveTransaction(state.syncBase, settings, isDurabilityUnknown: state.failedSave != nil), first: first)
        makeBytes(&run)
        job = .save(run)
    }

    private mutating func makeBytes(_ run: inout SimulatedSave) {
        let requests = run.first + takeRequests()
        run.first = []
        if requests.contains(where: { $0.change != nil }) { run.appliesChanges = true }
        run.stamp = file.stamp
        let found = FoundFile(contents: file.found, written: run.confirmed, displaced: displaced)
        let isPublished = state.endTentativeResult()
        defer { if run.appliesChanges, let result = run.save.result { state.changesApplied(result) } }
        do {
            run.bytes = try run.save.bytes(
                for: found, newest: state.snapshot, isPublished: isPublished, requests: requests, at: now)
            check(run.bytes == nil || !file.isInvalid, "a save overwrites invalid content")
            checkCreating(run)
        } catch let failure as SaveFailure {
            if case .failed = failure { check(false, "\(failure)") }
            run.failure = failure
        } catch {
            check(false, "\(error)")
        }
    }

    /// Checks that a file that is missing for a moment is not created again.
    private mutating func checkCreating(_ run: SimulatedSave) {
        if run.bytes == nil || !file.isMissing { return }
        guard let removed, now < removed + Self.timing.settlingTime else { return }
        let isLong = suspected.map { now >= $0 + Self.timing.settlingLimit } ?? false
        check(isLong, "a file that is missing for a moment is created again")
    }

    private mutating func step(_ before: SimulatedSave) {
        var run = before
        if run.failure != nil { return finish(run) }
        guard let bytes = run.bytes else { return finish(run) }
        if run.stamp != file.stamp {
            makeBytes(&run)
        } else if let content = file.bytes, content == bytes {
            displaced = []
            return finish(run)
        } else if disk == .full {
            run.failure = .failed(SessionProblem(.unsaved, in: reconciler.file, "full"))
            return finish(run)
        } else {
            let replaced = file.bytes
            write(run.save.proposed!.document)
            if disk == .doubtful || disk == .failing {
                let problem = SessionProblem(.unsaved, in: reconciler.file, disk == .failing ? "broken" : "in doubt")
                if disk == .failing {
                    run.save.acceptProposed()
                } else {
                    run.save.acceptProposed(failingRequestsWith: problem)
                }
                run.failure = .failed(problem)
                return finish(run)
            }
            run.confirmed = bytes
            guard let key = heldOpen, let replaced else { return finish(run) }
            displace(key, from: replaced)
            makeBytes(&run)
        }
        job = .save(run)
    }

    /// Like `FileSynchronizer.finish`.
    private mutating func finish(_ run: SimulatedSave) {
        job = .none
        var run = run
        if state.endTentativeResult() {
            if run.failure == nil { run.save.acceptProposed() }
            run.save.adoptChanges()
        }
        let result = (run.failure == nil ? run.save.result : run.save.confirmed)?.adjusted(for: state.snapshot)
        if let result, result.inputSnapshot !== state.snapshot, memory.isUnwritable {
            expectedState.uncertain += result.conflicts
        }
        let pendingRequests = run.failure == nil ? [] : run.save.pendingRequests + run.first
        let requestError = run.failure?.requestError
        if requestError == nil { requests += pendingRequests }
        if let failure = run.failure {
            perform(state.saveFailed(failure, result: result, hasWaiters: !pendingRequests.isEmpty, at: now))
            if let requestError { fail(pendingRequests, requestError) }
        } else {
            perform(state.saveSucceeded(result, at: now))
        }
        if let result { complete(result) }
    }
}
