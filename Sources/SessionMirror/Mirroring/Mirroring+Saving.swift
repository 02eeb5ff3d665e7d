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
        var run: Run? = beginRun()
        guard run != nil else {
            decide { $0.saved(nil, at: .now) }
            return
        }
        let began = Moment.now
        let obstacle = replace(with: &run!)
        let time = Moment.now - began
        timing.withLock { $0.slowestSave = max($0.slowestSave, time) }
        let ending = run!.ending(obstacle)
        // What it began with is the state's alone again, which changes it in place.
        run = nil
        end(ending, obstacle)
    }

    /// One save, on its way.
    private struct Run {
        var save: Save
        var first: [SaveRequest]
        var hasTurn: Bool

        func ending(_ obstacle: SaveObstacle?) -> Ending {
            Ending(
                answer: obstacle == nil ? save.result : save.confirmed,
                unanswered: obstacle == nil ? [] : save.unanswered + first, hasTurn: hasTurn)
        }
    }

    /// What came of it.
    private struct Ending {
        let answer: Save.Answer?
        let unanswered: [SaveRequest]
        var hasTurn: Bool
    }

    /// Nil if there is nothing to save. A commit is made of what nobody else changes until it is on the disk; its turn is
    /// waited for while nobody waits for the file.
    private func beginRun() -> Run? {
        let first = requests.takeAll()
        let hasTurn = first.contains { $0.change != nil }
        if hasTurn { turn.begin() }
        return state.withLock { state in
            if first.isEmpty, state.pending == nil { return nil }
            return Run(
                save: Save(state.standing, on: saving.ground, isInDoubt: state.failure != nil), first: first,
                hasTurn: hasTurn)
        }
    }

    /// What hindered it; nil if nothing did.
    private func replace(with run: inout Run) -> SaveObstacle? {
        do {
            let note = SideNote(Intentions.note)
            let replacement = try look.file.replace(
                limit: look.parsing.sizeLimit, options: saving.options, noting: note
            ) { found in try bytes(for: found, note, &run) }
            timing.withLock { $0.lastSave = replacement }
            return nil
        } catch let obstacle as SaveObstacle {
            return obstacle
        } catch let error as FileError {
            return obstacle(error, &run)
        } catch {
            return .failed(Problem(.unsaved, path, "not saved: \(error)"))
        }
    }

    /// Who has come since is taken along, unless their turn would have to be waited for.
    private func bytes(for found: FoundFile, _ note: SideNote, _ run: inout Run) throws -> [UInt8]? {
        if !run.hasTurn, requests.hasChanges { run.hasTurn = turn.beginIfFree() }
        let others = run.hasTurn ? requests.takeAll() : requests.takeFlushes()
        let all = run.first + others
        run.first = []
        let newest = state.withLock { $0.edition }
        let intentions = found.contents.map { Intentions(note.found, with: $0.bytes) } ?? Intentions()
        let bytes = try run.save.bytes(for: found, intentions, newest: newest, requests: all, at: .now)
        note.next = bytes.flatMap { run.save.answer?.intentions.note(for: $0) }
        return bytes
    }

    /// An error can come after the bytes are in the file. Then they count, but nobody is told that they are safe.
    private func obstacle(_ error: FileError, _ run: inout Run) -> SaveObstacle {
        if case .notDurable = error.code { return inDoubt(error, &run) }
        if let answer = run.save.answer, answer.isChange,
            let contents = try? look.file.read(limit: look.parsing.sizeLimit),
            answer.document.holds(contents.bytes)
        {
            return inDoubt(error, &run)
        }
        return .failed(Problem(unsaved: error, in: path))
    }

    private func inDoubt(_ error: FileError, _ run: inout Run) -> SaveObstacle {
        let problem = Problem(doubtful: error, in: path)
        run.save.isInFile(doubt: problem)
        return .failed(problem)
    }

    /// What came into the file counts, whatever hindered the rest.
    private func end(_ ending: Ending, _ obstacle: SaveObstacle?) {
        var hasTurn = ending.hasTurn
        for request in ending.unanswered { requests.add(request) }
        if let answer = ending.answer, answer.edition !== answer.against, !hasTurn {
            turn.begin()
            hasTurn = true
        }
        let decision = decided { state in
            guard let obstacle else { return state.saved(ending.answer, at: .now) }
            return state.didNotSave(
                obstacle, having: ending.answer, isWaitedFor: !ending.unanswered.isEmpty, at: .now)
        }
        if hasTurn { turn.end() }
        carryOut(decision)
        for (request, error) in ending.answer?.answered ?? [] { request.answer(error) }
    }
}
