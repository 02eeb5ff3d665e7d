import DurableFiles
import Locking
import LosslessJSON

@testable import SessionMirror

/// A save on its way, as `Mirroring` makes one.
struct PretendedSave {
    var save: Save
    /// Who waited when it began.
    var first: [SaveRequest]
    /// Whether the program must wait with changes until it is over.
    var hasTurn = false
    /// The file that the bytes were made for.
    var stamp = 0
    var bytes: [UInt8]?
    /// What of ours has been in the file.
    var confirmed: [UInt8]?
    var obstacle: SaveObstacle?
}

// The jobs that the state asks for, step by step.
extension SavingWorld {
    var isJobDue: Bool {
        switch job {
        case .lookDue, .saveDue: true
        case .none, .look, .save: false
        }
    }

    var isJobBegun: Bool {
        switch job {
        case .look, .save: true
        case .none, .lookDue, .saveDue: false
        }
    }

    /// Whether a change of the program would wait.
    var isTurnTaken: Bool {
        switch job {
        case .save(let run): run.hasTurn
        case .look(_, let isAlone): isAlone
        case .none, .lookDue, .saveDue: false
        }
    }

    mutating func beginJob() {
        switch job {
        case .lookDue(let isAlone):
            job = .look(file.sight(from: state.standing, by: meeting, at: now), alone: isAlone)
        case .saveDue: beginSave()
        case .none, .look, .save: break
        }
    }

    /// One step: a save can need more, where it was not alone.
    mutating func stepJob() {
        switch job {
        case .look(let sight, _):
            job = .none
            take(state.looked(sight, at: now))
        case .save(let run): step(run)
        case .none, .lookDue, .saveDue: break
        }
    }

    private mutating func beginSave() {
        let first = takeRequests()
        if first.isEmpty, state.pending == nil {
            job = .none
            take(state.saved(nil, at: now))
            return
        }
        let ground = Save.Ground(meeting: meeting, parsing: .init(), newFile: .changedKeys)
        var run = PretendedSave(
            save: Save(state.standing, on: ground, isInDoubt: state.failure != nil), first: first)
        makeBytes(&run)
        job = .save(run)
    }

    private mutating func makeBytes(_ run: inout PretendedSave) {
        let requests = run.first + takeRequests()
        run.first = []
        if requests.contains(where: { $0.change != nil }) { run.hasTurn = true }
        run.stamp = file.stamp
        do {
            run.bytes = try run.save.bytes(
                for: FoundFile(contents: file.found, confirmed: run.confirmed, displaced: carried),
                newest: state.edition, requests: requests, at: now)
            check(run.bytes == nil || !file.isInvalid, "content that is invalid is to be overwritten")
            checkCreating(run)
        } catch let obstacle as SaveObstacle {
            if case .failed = obstacle { check(false, "\(obstacle)") }
            run.obstacle = obstacle
        } catch {
            check(false, "\(error)")
        }
    }

    /// A file that is gone for a moment is not created again.
    private mutating func checkCreating(_ run: PretendedSave) {
        if run.bytes == nil || !file.isMissing { return }
        guard let removed, now < removed + Self.patience.quiet else { return }
        let isLong = suspected.map { now >= $0 + Self.patience.limit } ?? false
        check(isLong, "a file that is gone for a moment is created again")
    }

    private mutating func step(_ before: PretendedSave) {
        var run = before
        if run.obstacle != nil { return finish(run) }
        guard let bytes = run.bytes else { return finish(run) }
        if run.stamp != file.stamp {
            makeBytes(&run)
        } else if let content = file.bytes, content == bytes {
            carried = []
            return finish(run)
        } else if disk == .full {
            run.obstacle = .failed(Problem(.unsaved, meeting.file, "full"))
            return finish(run)
        } else {
            let expected = file.bytes
            write(run.save.answer!.document)
            if disk == .doubtful || disk == .failing {
                let problem = Problem(.unsaved, meeting.file, disk == .failing ? "broken" : "in doubt")
                run.save.isInFile(doubt: disk == .failing ? nil : problem)
                run.obstacle = .failed(problem)
                return finish(run)
            }
            run.confirmed = bytes
            guard let key = heldOpen, let expected else { return finish(run) }
            displace(key, from: expected)
            makeBytes(&run)
        }
        job = .save(run)
    }

    /// As `Mirroring.end`.
    private mutating func finish(_ run: PretendedSave) {
        job = .none
        let answer = run.obstacle == nil ? run.save.result : run.save.confirmed
        let unanswered = run.obstacle == nil ? [] : run.save.unanswered + run.first
        requests += unanswered
        if let obstacle = run.obstacle {
            take(state.didNotSave(obstacle, having: answer, isWaitedFor: !unanswered.isEmpty, at: now))
        } else {
            take(state.saved(answer, at: now))
        }
        if let answer { self.answer(answer) }
    }
}
