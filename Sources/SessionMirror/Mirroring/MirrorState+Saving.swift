internal import Locking
internal import LosslessJSON

// What happens to the value in memory, and on its way into the file.
extension MirrorState {
    /// The program has made another version.
    mutating func updated(to edition: AnyEdition, at moment: Moment) -> [Effect] {
        standing.edition = edition
        obstacle = nil
        pending = Pending(began: pending?.began ?? moment, latest: moment, isUrgent: pending?.isUrgent ?? false)
        return [.publish(edition)] + statusChanged() + next(at: moment)
    }

    /// Nobody uses the session any more: what is pending is saved as soon as that can be.
    mutating func released(at moment: Moment) -> [Effect] {
        pending?.isUrgent = true
        return next(at: moment)
    }

    /// Somebody waits for a save.
    mutating func saveWanted(at moment: Moment) -> [Effect] {
        if isClosed { return [.refuse(SessionError.closed)] }
        isSaveWanted = true
        return next(at: moment)
    }

    /// A save has ended without trouble: the file holds what memory had, with what others had put there meanwhile.
    mutating func saved(_ answer: Save.Answer?, at moment: Moment) -> [Effect] {
        if isClosed { return [] }
        work = .none
        failure = nil
        return unhindered() + (answer.map { took($0) } ?? statusChanged()) + next(at: moment)
    }

    /// A save has ended in trouble: the file holds what cannot be used, or memory does, or the system refused. What has
    /// come into the file before counts all the same. Who waits goes on waiting only for content that may be unfinished.
    mutating func didNotSave(
        _ reason: SaveObstacle, having answer: Save.Answer? = nil, isWaitedFor: Bool, at moment: Moment
    ) -> [Effect] {
        if isClosed { return [.refuse(SessionError.closed)] }
        work = .none
        if case .failed(let problem) = reason {
            failed(problem, having: answer != nil, at: moment)
        } else if answer != nil {
            failure = nil
        }
        var effects = answer.map { took($0, isSafe: failure == nil) } ?? statusChanged()
        switch reason {
        case .seen(let sight):
            isSaveWanted = isWaitedFor || isSaveWanted
            effects += judgedBySave(sight, at: moment)
        case .held(let problem): effects += [.refuse(problem)] + hindered(by: problem)
        case .failed(let problem): effects += [.refuse(problem)]
        }
        return effects + next(at: moment)
    }

    private mutating func took(_ answer: Save.Answer, isSafe: Bool = true) -> [Effect] {
        metrics.saves += answer.isChange ? 1 : 0
        metrics.merges += answer.isMerge ? 1 : 0
        if answer.isMissing {
            if answer.against === edition, isSafe { pending = nil }
            return settled(as: .missing)
        }
        standing.document = answer.document
        standing.own.take(answer.notes)
        let before = pending
        let isNewest = answer.against === edition
        let effects = isNewest ? stand(by: answer) + told(answer.losses) : fallBehind(answer)
        if !isSafe { pending = before }
        return effects + settled(as: .good)
    }

    /// Tried again after 1 s, 2 s, 4 s and so on, up to 64 s.
    private mutating func failed(_ problem: Problem, having hasAnswer: Bool, at moment: Moment) {
        metrics.failedSaves += 1
        // A commit that failed is its caller's business; what is in the file without being safe is ours.
        if pending == nil, !hasAnswer { return }
        pending = pending ?? Pending(began: moment, latest: moment)
        // Whoever cannot wait does not put off the next try.
        if let failure, moment < failure.next {
            self.failure = Failure(problem: problem, times: failure.times, next: failure.next)
        } else {
            let times = (failure?.times ?? 0) + 1
            failure = Failure(problem: problem, times: times, next: moment + .seconds(1 << min(times - 1, 6)))
        }
    }

    private mutating func judgedBySave(_ sight: Sight, at moment: Moment) -> [Effect] {
        switch sight {
        case .missing: suspected(.missing, at: moment)
        case .refused(let problem, .unfinished): suspected(.invalid(problem), at: moment)
        case .refused(let problem, _): settled(as: .invalid(problem))
        case .good, .same, .held: []
        }
    }

    /// Nothing has changed in memory meanwhile.
    private mutating func stand(by answer: Save.Answer) -> [Effect] {
        standing.common = answer.document.value
        standing.edition = answer.edition
        edition.wasWritten(as: answer.document)
        pending = nil
        return answer.edition === answer.against ? [] : [.publish(edition)]
    }

    /// The program has gone on: what the save brought from others is put together with that by a look.
    private mutating func fallBehind(_ answer: Save.Answer) -> [Effect] {
        standing.common = answer.mine
        if !standing.isJudged { isLookDue = true }
        if let pending {
            self.pending = Pending(began: pending.latest, latest: pending.latest, isUrgent: pending.isUrgent)
        }
        let tree = try? edition.tree()
        return told(tree.map { answer.losses(decidedFor: $0) } ?? answer.losses)
    }

    /// What memory has cannot be written, or must not: until it changes, or the file does.
    mutating func hindered(by problem: Problem) -> [Effect] {
        let isNew = lastObstacle != problem
        (obstacle, lastObstacle) = (problem, problem)
        return (isNew ? [.report(.problem(problem))] : []) + statusChanged()
    }

    /// Nothing like that is in the way any more.
    mutating func unhindered() -> [Effect] {
        defer { (obstacle, lastObstacle) = (nil, nil) }
        return lastObstacle.map { [.report(.recovered($0))] } ?? []
    }

    /// What the status is to say of saving.
    var saving: MirrorStatus.Saving {
        if pending == nil { return .clean }
        if status.content.problem != nil || obstacle != nil { return .held }
        return failure.map { .failing($0.problem) } ?? .pending
    }

    mutating func statusChanged() -> [Effect] {
        let effects = failureChanged()
        if status.saving == saving { return effects }
        status.saving = saving
        return effects + [.report(.status(status))]
    }

    /// A save that did not work is told of until one does: also while changes are held, and none is tried.
    mutating func failureChanged() -> [Effect] {
        let before = lastFailure
        lastFailure = failure?.problem
        if lastFailure == before { return [] }
        return [.report(lastFailure.map { .problem($0) } ?? .recovered(before!))]
    }

    /// Saves if somebody waits for it or its time has come, and otherwise asks to be woken then.
    mutating func nextSave(at moment: Moment) -> [Effect] {
        // What may be unfinished is waited for.
        if suspicion != nil { return [] }
        if isSaveWanted { return save() }
        guard let due = saveDue else { return [] }
        if moment >= due { return save() }
        if let alarm, alarm <= due { return [] }
        alarm = due
        return [.wake(at: due)]
    }

    private mutating func save() -> [Effect] {
        (isSaveWanted, work) = (false, .saving)
        return [.save]
    }

    private var saveDue: Moment? {
        guard let pending, status.content.problem == nil, obstacle == nil else { return nil }
        if let failure { return failure.next }
        if pending.isUrgent { return pending.began }
        return min(pending.latest + patience.savingQuiet, pending.began + patience.savingLimit)
    }
}

/// Why a save wrote nothing.
enum SaveObstacle: Error {
    /// The file holds something that cannot be used, or nothing for the moment.
    case seen(Sight)
    /// What memory has cannot be written, or must not.
    case held(Problem)
    /// The system refused, or another program wrote what cannot be merged: it is tried again.
    case failed(Problem)
}
