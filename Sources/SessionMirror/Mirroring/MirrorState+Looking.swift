internal import Locking
internal import LosslessJSON

// What happens to the file.
extension MirrorState {
    /// The file was looked at for the first time. Nothing was served before, so nothing is waited for.
    mutating func opened(_ sight: Sight) -> [Effect] {
        standing.isNew = false
        work = .none
        switch sight {
        case .good(let outcome):
            stand(by: outcome)
            status.content = .good
            return [.publish(edition)] + next(at: lastSignal)
        case .same, .held: status.content = .good
        case .missing: status.content = .missing
        case .refused(let problem, let outlook):
            standing.isMissing = false
            metrics.refusals += 1
            status.content = .invalid(problem)
            if outlook == .passing { return [again(after: lastSignal)] + next(at: lastSignal) }
        }
        return next(at: lastSignal)
    }

    /// Something happened to the file, or may have.
    mutating func signalled(at moment: Moment) -> [Effect] {
        if isClosed { return [] }
        lastSignal = moment
        isLookDue = true
        return next(at: moment)
    }

    /// A look at the file has ended.
    mutating func looked(_ sight: Sight, at moment: Moment) -> [Effect] {
        if isClosed { return [] }
        work = .none
        retry = nil
        return judged(sight, at: moment) + next(at: moment)
    }

    /// A moment that was asked for has come; or any other.
    mutating func timePassed(at moment: Moment) -> [Effect] {
        if isClosed { return [] }
        if let alarm, moment >= alarm { self.alarm = nil }
        if let retry, moment >= retry, work == .none { isLookDue = true }
        var effects: [Effect] = []
        if work == .none, !isLookDue, let suspicion { effects = suspicionIsDue(suspicion, at: moment) }
        return effects + next(at: moment)
    }

    /// The way in which changes are noticed is another.
    mutating func watchingChanged(to watching: MirrorStatus.Watching) -> [Effect] {
        guard !isClosed, watching != status.watching else { return [] }
        status.watching = watching
        return [.report(.status(status))]
    }

    /// Nothing of the file matters any more.
    mutating func closed() -> [Effect] {
        if isClosed { return [] }
        let effects = watchingChanged(to: .frozen)
        (isClosed, pending, work) = (true, nil, .none)
        return effects + [.refuse(SessionError.closed)]
    }
}

extension MirrorState {
    /// What is to be done next, if nothing is being done.
    mutating func next(at moment: Moment) -> [Effect] {
        guard work == .none, !isClosed else { return [] }
        if isLookDue {
            (isLookDue, retry, work) = (false, nil, .looking)
            return [.look(alone: lostRaces >= 3)]
        }
        return nextSave(at: moment)
    }

    private mutating func judged(_ sight: Sight, at moment: Moment) -> [Effect] {
        switch sight {
        case .good(let outcome): return met(outcome, at: moment)
        case .same:
            standing.isMissing = false
            return settled(as: .good)
        case .missing: return suspected(.missing, at: moment)
        case .refused(let problem, .final): return settled(as: .invalid(problem))
        case .refused(let problem, .unfinished): return suspected(.invalid(problem), at: moment)
        case .refused(let problem, .passing):
            return suspected(.invalid(problem), at: moment) + [again(after: moment)]
        case .held(let problem): return settled(as: .good) + hindered(by: problem)
        }
    }

    private mutating func met(_ outcome: Meeting.Outcome, at moment: Moment) -> [Effect] {
        guard outcome.against === edition else {
            lostRaces += 1
            isLookDue = true
            return []
        }
        let isChanged = outcome.edition !== edition
        if isChanged { metrics.reloads += 1 }
        if isChanged, pending != nil { metrics.merges += 1 }
        stand(by: outcome)
        setPending(outcome, at: moment)
        return (isChanged ? [.publish(edition)] : []) + told(outcome.losses) + unhindered() + settled(as: .good)
    }

    private mutating func setPending(_ outcome: Meeting.Outcome, at moment: Moment) {
        guard outcome.isPending else {
            (pending, failure) = (nil, nil)
            return
        }
        var pending = pending ?? Pending(began: moment, latest: moment)
        if outcome.hasRestored { pending.isUrgent = true }
        self.pending = pending
    }

    private mutating func stand(by outcome: Meeting.Outcome) {
        lostRaces = 0
        standing.document = outcome.document
        standing.isMissing = false
        standing.common = outcome.document.value
        standing.edition = outcome.edition
        standing.own.take(outcome.notes)
    }

    private mutating func again(after moment: Moment) -> Effect {
        let next = moment + .seconds(1)
        retry = next
        return .wake(at: next)
    }

    /// Content that is no good: waits until its writer has left it alone, or was given time enough.
    mutating func suspected(_ content: MirrorStatus.Content, at moment: Moment) -> [Effect] {
        if content == status.content { return settled(as: content) }
        let began = suspicion?.began ?? moment
        let quiet = max(lastSignal, began) + patience.quiet
        // Where a problem stands already, another one has time: a file that grows for minutes is told of once.
        let isUrgent = status.content.problem == nil || isSaveWanted
        let deadline = isUrgent ? min(quiet, began + patience.limit) : quiet
        if moment >= deadline { return settled(as: content) }
        let isLookedAtAgain = suspicion?.isLookedAtAgain ?? false
        suspicion = Suspicion(content: content, began: began, isLookedAtAgain: isLookedAtAgain)
        return [.wake(at: deadline)]
    }

    /// Where nobody tells that its writer has finished, it is looked at once more.
    private mutating func suspicionIsDue(_ suspicion: Suspicion, at moment: Moment) -> [Effect] {
        if status.watching == .frozen, !suspicion.isLookedAtAgain, moment >= suspicion.began + patience.quiet {
            self.suspicion?.isLookedAtAgain = true
            isLookDue = true
            return []
        }
        return suspected(suspicion.content, at: moment)
    }

    mutating func settled(as content: MirrorStatus.Content) -> [Effect] {
        suspicion = nil
        standing.isMissing = content == .missing
        let refusal = refusal(for: content)
        if content == status.content { return refusal + statusChanged() }
        let before = status.content.problem
        status.content = content
        status.saving = saving
        var effects = refusal + failureChanged()
        if let problem = content.problem {
            metrics.refusals += 1
            effects.append(.report(.problem(problem)))
        } else if let before {
            effects.append(.report(.recovered(before)))
        }
        return effects + [.report(.status(status))]
    }

    /// Who waits for a save is told that there is none while the file holds something that cannot be used.
    private mutating func refusal(for content: MirrorStatus.Content) -> [Effect] {
        guard isSaveWanted, let problem = content.problem else { return [] }
        isSaveWanted = false
        return [.refuse(problem)]
    }

    mutating func told(_ losses: [Problem]) -> [Effect] {
        metrics.conflicts += losses.count
        return losses.map { .report(.problem($0)) }
    }
}
