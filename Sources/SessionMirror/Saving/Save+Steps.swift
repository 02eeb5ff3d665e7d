internal import DurableFiles
internal import Locking
internal import LosslessJSON

// What goes into it.
extension Save {
    func met(
        _ start: JSONDocument, _ intentions: Intentions, isThere: Bool, at moment: Moment
    ) throws -> Answer {
        let mine = try held { () throws(Meeting.Refusal) in try ground.meeting.tree(of: standing.edition) }
        let last = confirmed?.edition === standing.edition ? confirmed : nil
        var answer = Answer(
            against: last?.against ?? standing.edition, mine: last?.mine ?? mine, edition: standing.edition,
            document: start, intentions: intentions, notes: [], losses: [], answered: [], isChange: false,
            isMerge: false,
            isMissing: !isThere)
        // A file that is not there says nothing but what its last text said, if that has not come into memory yet.
        if !isThere, standing.isJudged { return answer }
        let outcome = try held { () throws(Meeting.Refusal) in
            try ground.meeting.outcome(standing, start, intentions, at: moment)
        }
        (answer.edition, answer.notes, answer.losses) = (outcome.edition, outcome.notes, outcome.losses)
        answer.isMerge = outcome.edition !== standing.edition
        return answer
    }

    /// What others wrote that is no longer in the file. Where it is not known what they began with, a crash has left it
    /// there: what only they have is added.
    func merge(_ edit: DisplacedEdit, into answer: inout Answer, at moment: Moment) throws {
        if edit.bytes.isBlank { return }
        guard let theirs = try? JSONDocument(parsing: edit.bytes, options: ground.parsing).value else {
            throw SaveObstacle.failed(Problem(unreadable: edit, beside: ground.meeting.file))
        }
        let begun = edit.base.flatMap { try? JSONDocument(parsing: $0, options: ground.parsing) }
        let base = begun?.value
        let ours = try tree(of: answer.edition)
        let returns = judged(theirs, madeOf: begun, ours, answer.edition, at: moment)
        answer.notes += returns.notes
        answer.losses += returns.losses
        let merge = JSON.merge(base: base ?? .object([:]), ours: returns.ours, theirs: returns.theirs) { conflict in
            base == nil ? conflict.ours : ground.meeting.resolve(conflict)
        }
        answer.losses += merge.conflicts.map { Problem(conflict: $0, in: ground.meeting.file, merge.value) }
        if merge.value.isSame(as: ours) { return }
        do throws(Problem) {
            answer.edition = try ground.meeting.understanding.edition(
                of: merge.value, in: ground.meeting.file, version: answer.against.version.next, origin: .external)
            answer.isMerge = true
        } catch {
            let whole = JSONConflict(path: JSONPointer(), base: base, ours: ours, theirs: theirs)
            answer.losses.append(Problem(conflict: whole, in: ground.meeting.file, ours, because: error))
        }
    }

    /// Also what is out of its place can be a stale save.
    private func judged(
        _ theirs: JSON, madeOf begun: JSONDocument?, _ ours: JSON, _ edition: AnyEdition, at moment: Moment
    ) -> Returns {
        var standing = standing
        (standing.document, standing.edition) = (begun, edition)
        standing.common = begun?.value ?? .object([:])
        var returns = Returns(of: standing, ours, theirs, Intentions(), in: ground.meeting, at: moment)
        returns.judge()
        return returns
    }

    /// One after the other, each on what the one before made. One that fails leaves nothing.
    func make(_ requests: [SaveRequest], in answer: inout Answer) throws {
        for request in requests {
            do {
                if let change = request.change {
                    let next = try change(answer.edition, answer.against.version.next)
                    _ = try tree(of: next)
                    answer.edition = next
                }
                answer.answered.append((request, nil))
            } catch SaveObstacle.held(let problem) {
                answer.answered.append((request, problem))
            } catch {
                answer.answered.append((request, error))
            }
        }
    }

    private func tree(of edition: AnyEdition) throws -> JSON {
        try held { () throws(Meeting.Refusal) in try ground.meeting.tree(of: edition) }
    }

    private func held<Result>(_ body: () throws(Meeting.Refusal) -> Result) throws -> Result {
        do throws(Meeting.Refusal) {
            return try body()
        } catch {
            switch error {
            case .refused(let problem): throw SaveObstacle.seen(.refused(problem, .final))
            case .held(let problem): throw SaveObstacle.held(problem)
            }
        }
    }
}

// What comes out.
extension Save {
    /// Only the bytes of what is another in memory than in the file.
    func write(_ answer: inout Answer, isThere: Bool, at moment: Moment) throws {
        let tree = try tree(of: answer.edition)
        let before = answer.document
        answer.isChange = !tree.isSame(as: before.value)
        if answer.isChange || unanswered.contains(where: { $0.change != nil }) { answer.isMissing = false }
        do {
            if isThere || standing.document != nil {
                answer.document = try before.applying(tree.difference(from: before.value))
            } else if !answer.isMissing {
                answer.document = try newText(of: answer.edition, tree)
            }
        } catch {
            throw SaveObstacle.held(Problem(.unwritable, ground.meeting.file, "it cannot be written: \(error)"))
        }
        let changes = ValueChange.list(from: before.value, to: answer.document.value)
        answer.intentions.add(changes)
        if !changes.isEmpty { answer.notes.append(.saved(changes, at: moment)) }
    }

    private func newText(of edition: AnyEdition, _ tree: JSON) throws -> JSONDocument {
        let values = ground.newFile == .allKeys ? try ground.meeting.understanding.whole(edition) : tree
        return try JSONDocument(parsing: JSONPrinter().bytes(values), options: ground.parsing)
    }
}

extension [UInt8] {
    /// Whether a JSON text of these bytes has no value.
    fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
