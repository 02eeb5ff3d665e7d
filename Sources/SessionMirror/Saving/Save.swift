internal import DurableFiles
internal import Locking
internal import LosslessJSON

/// What a save writes: the bytes for whatever it finds in the file, with everybody's changes in them.
///
/// A value that is asked each time a replacement finds the file changed; it reads no file and takes no lock.
struct Save {
    /// What the session is, which does not change.
    struct Ground: Sendable {
        let meeting: Meeting
        let parsing: JSONDocument.Options
        let newFile: SessionOptions.NewFile
    }

    /// What the file holds, if it holds the bytes that were given last.
    struct Answer {
        /// What was in memory and went into it.
        let against: AnyEdition
        /// The values of that.
        let mine: JSON
        /// What is to be in memory; the same if nothing changes.
        var edition: AnyEdition
        var document: JSONDocument
        /// What is to lie with the file.
        var intentions: Intentions
        /// What is to be remembered.
        var notes: [OwnValues.Note]
        var losses: [Problem]
        /// The requests that it answers, each with what was wrong with it.
        var answered: [(SaveRequest, (any Error)?)]
        /// Whether the file is another than before.
        var isChange: Bool
        /// Whether others had changed it meanwhile.
        var isMerge: Bool
        /// Whether there is none, and nothing to begin one with.
        var isMissing: Bool
    }

    /// Why nothing can be written.
    enum Refusal: Error {
        /// The file holds something that cannot be used, or nothing for the moment.
        case seen(Sight)
        /// What memory has cannot be written, or must not.
        case held(Problem)
        /// What another program wrote cannot be merged.
        case stranded(Problem)
    }

    let ground: Ground
    /// Whether the disk may not have what the file holds.
    let isInDoubt: Bool
    private var standing: Standing
    private var open: [SaveRequest] = []
    /// What the file holds, if the last bytes have come into it.
    private(set) var answer: Answer?
    /// What it holds for certain.
    private(set) var confirmed: Answer?

    init(_ standing: Standing, on ground: Ground, isInDoubt: Bool = false) {
        (self.standing, self.ground, self.isInDoubt) = (standing, ground, isInDoubt)
    }

    /// Those whose change is not in the file, if the save ends here.
    var unanswered: [SaveRequest] { open }

    /// What the file holds when the replacement has come to its end.
    var result: Answer? { answer.map { confirmed?.followed(by: $0) ?? $0 } ?? confirmed }

    /// The last bytes are in the file, though the replacement did not come to its end.
    mutating func isInFile(doubt: Problem?) {
        guard var answer else { return }
        if let doubt { answer.answered = answer.answered.map { ($0.0, $0.1 ?? doubt) } }
        self.answer = answer
        accept()
    }

    /// The bytes to write, or nil for none.
    ///
    /// - Parameters:
    ///   - found: What the file holds now.
    ///   - intentions: What others who use this library have put there.
    ///   - newest: What is in memory now.
    ///   - requests: Who has come since.
    ///   - moment: Now.
    mutating func bytes(
        for found: FoundFile, _ intentions: Intentions = Intentions(), newest: AnyEdition, requests: [SaveRequest],
        at moment: Moment
    ) throws -> [UInt8]? {
        // The last bytes, or still those before them.
        if let bytes = found.confirmed, answer?.document.holds(bytes) == true { accept() }
        open += requests
        stand(by: newest)
        answer = nil
        // Somebody has removed what we had written: who has come since goes on waiting.
        if confirmed != nil, found.contents == nil { throw Refusal.seen(.missing) }
        var answer = try met(try start(found.contents), intentions, isThere: found.contents != nil, at: moment)
        for edit in found.displaced { try merge(edit, into: &answer) }
        try make(open, in: &answer)
        try write(&answer, isThere: found.contents != nil, at: moment)
        self.answer = answer
        // Those who wait want the disk to have it, whoever wrote it.
        let isWaitedFor = open.contains { $0.change != nil || found.contents != nil }
        let isWanted = isWaitedFor || isInDoubt && found.contents != nil || !found.displaced.isEmpty
        return answer.isChange || isWanted ? answer.document.bytes : nil
    }

    /// The last bytes were in the file for all to see: what comes is about them.
    private mutating func accept() {
        guard let answer else { return }
        confirmed = confirmed?.followed(by: answer) ?? answer
        standing.document = answer.document
        standing.own.take(answer.notes)
        (open, self.answer) = ([], nil)
    }

    /// What a confirmed version has changed in memory is not there yet; what the program has changed since is.
    private mutating func stand(by newest: AnyEdition) {
        guard let confirmed, confirmed.against === newest else {
            standing.common = confirmed?.mine ?? standing.common
            standing.edition = newest
            return
        }
        standing.common = confirmed.document.value
        standing.edition = confirmed.edition
    }

    /// What the file says. One that was removed is begun again with its last text.
    private func start(_ contents: FileContents?) throws -> JSONDocument {
        guard let contents else {
            if !standing.isMissing { throw Refusal.seen(.missing) }
            return try standing.document ?? JSONDocument(parsing: "{}", options: ground.parsing)
        }
        do throws(JSONSyntaxError) {
            return try standing.document(of: contents.bytes, ground.parsing)
        } catch {
            throw Refusal.seen(.refused(Problem(.syntax, ground.meeting.file, error), .unfinished))
        }
    }
}

// What goes into it.
extension Save {
    private func met(
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
    private func merge(_ edit: DisplacedEdit, into answer: inout Answer) throws {
        if edit.bytes.isBlank { return }
        guard let theirs = try? JSONDocument(parsing: edit.bytes, options: ground.parsing).value else {
            throw Refusal.stranded(Problem(unreadable: edit, beside: ground.meeting.file))
        }
        let base = edit.base.flatMap { try? JSONDocument(parsing: $0, options: ground.parsing).value }
        let ours = try tree(of: answer.edition)
        let merge = JSON.merge(base: base ?? .object([:]), ours: ours, theirs: theirs) { conflict in
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

    /// One after the other, each on what the one before made. One that fails leaves nothing.
    private func make(_ requests: [SaveRequest], in answer: inout Answer) throws {
        for request in requests {
            do {
                if let change = request.change {
                    let next = try change(answer.edition, answer.against.version.next)
                    _ = try tree(of: next)
                    answer.edition = next
                }
                answer.answered.append((request, nil))
            } catch Refusal.held(let problem) {
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
            case .refused(let problem): throw Refusal.seen(.refused(problem, .final))
            case .held(let problem): throw Refusal.held(problem)
            }
        }
    }
}

// What comes out.
extension Save {
    /// Only the bytes of what is another in memory than in the file.
    private func write(_ answer: inout Answer, isThere: Bool, at moment: Moment) throws {
        let tree = try tree(of: answer.edition)
        let before = answer.document
        answer.isChange = !tree.isSame(as: before.value)
        if answer.isChange || open.contains(where: { $0.change != nil }) { answer.isMissing = false }
        do {
            if isThere || standing.document != nil {
                answer.document = try before.applying(tree.difference(from: before.value))
            } else if !answer.isMissing {
                answer.document = try newText(of: answer.edition, tree)
            }
        } catch {
            throw Refusal.held(Problem(.unwritable, ground.meeting.file, "it cannot be written: \(error)"))
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

extension Save.Answer {
    /// What had to give way, where memory has `tree` by now: what the program has changed again since is still to be put
    /// together with what the file says.
    func losses(decidedFor tree: JSON) -> [Problem] {
        if tree.isIdentical(to: mine) { return losses }
        return losses.filter { loss in
            guard loss.code != .restored, let path = loss.path else { return true }
            return tree[at: path] == mine[at: path]
        }
    }

    fileprivate func followed(by next: Save.Answer) -> Save.Answer {
        var next = next
        next.notes = notes + next.notes
        next.losses = losses(decidedFor: next.mine) + next.losses
        next.answered = answered + next.answered
        next.isChange = isChange || next.isChange
        next.isMerge = isMerge || next.isMerge
        return next
    }
}

extension [UInt8] {
    /// Whether a JSON text of these bytes has no value.
    fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
