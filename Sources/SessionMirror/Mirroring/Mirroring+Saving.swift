internal import DurableFiles
internal import Locking
internal import LosslessJSON

extension Mirroring {
    /// The program made another version, in its turn. What is left to be done is to be carried out after that.
    func updated(to edition: AnyEdition) -> Decision { decided { $0.updated(to: edition, at: .now) } }

    /// Somebody waits for a save. Where the caller waits on this thread anyway, it saves itself.
    func want(_ request: SaveRequest, savingHere: Bool) {
        requests.add(request)
        if decide(savingHere: savingHere, { $0.saveWanted(at: .now) }) { save() }
    }

    /// Whether memory has something that the file has not.
    var isPending: Bool { state.withLock { $0.pending != nil } }

    /// Whether memory has something that the file has not, or is just being given.
    var isToBeSaved: Bool { state.withLock { $0.pending != nil || $0.work == .saving } }

    /// Replaces the file, with all that is pending and all who wait.
    func save() {
        let (standing, isPending, isInDoubt) = state.withLock { ($0.standing, $0.pending != nil, $0.failure != nil) }
        let first = requests.takeAll()
        if first.isEmpty, !isPending {
            decide { $0.saved(nil, at: .now) }
            return
        }
        let began = Moment.now
        var run = Run(save: Save(standing, on: saving.ground, isInDoubt: isInDoubt), first: first)
        let obstacle = replace(with: &run)
        let time = Moment.now - began
        timing.withLock { $0.slowestSave = max($0.slowestSave, time) }
        end(&run, obstacle)
    }

    /// One save, on its way.
    private struct Run {
        var save: Save
        var first: [SaveRequest]
        var hasTurn = false
    }

    /// What hindered it; nil if nothing did.
    private func replace(with run: inout Run) -> SaveObstacle? {
        do {
            let replacement = try look.file.replace(limit: look.parsing.sizeLimit, options: saving.options) { found in
                try bytes(for: found, &run)
            }
            timing.withLock { $0.lastSave = replacement }
            return nil
        } catch Save.Refusal.seen(let sight) {
            return .seen(sight)
        } catch Save.Refusal.held(let problem) {
            return .held(problem)
        } catch let error as FileError {
            return obstacle(error, &run)
        } catch {
            return .failed(Problem(.unsaved, path, "not saved: \(error)"))
        }
    }

    /// A commit is made of what nobody else changes until it is on the disk.
    private func bytes(for found: FoundFile, _ run: inout Run) throws -> [UInt8]? {
        let requests = run.first + requests.takeAll()
        run.first = []
        if !run.hasTurn, requests.contains(where: { $0.change != nil }) {
            turn.begin()
            run.hasTurn = true
        }
        let newest = state.withLock { $0.edition }
        return try run.save.bytes(for: found, newest: newest, requests: requests, at: .now)
    }

    /// An error can come after the bytes are in the file.
    private func obstacle(_ error: FileError, _ run: inout Run) -> SaveObstacle {
        let problem = Problem(unsaved: error, in: path)
        if case .notDurable = error.code {
            run.save.isInFile(doubt: problem)
        } else if let answer = run.save.answer, answer.isChange,
            let contents = try? look.file.read(limit: look.parsing.sizeLimit),
            answer.document.holds(contents.bytes)
        {
            run.save.isInFile(doubt: nil)
        }
        return .failed(problem)
    }

    /// What came into the file counts, whatever hindered the rest.
    private func end(_ run: inout Run, _ obstacle: SaveObstacle?) {
        let answer = obstacle == nil ? run.save.result : run.save.confirmed
        let unanswered = obstacle == nil ? [] : run.save.unanswered + run.first
        for request in unanswered { requests.add(request) }
        if let answer, answer.edition !== answer.against, !run.hasTurn {
            turn.begin()
            run.hasTurn = true
        }
        let decision = decided { state in
            guard let obstacle else { return state.saved(answer, at: .now) }
            return state.didNotSave(obstacle, having: answer, isWaitedFor: !unanswered.isEmpty, at: .now)
        }
        if run.hasTurn { turn.end() }
        carryOut(decision)
        for (request, error) in answer?.answered ?? [] { request.answer(error) }
    }
}
