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

    let ground: Ground
    /// Whether the disk may not have what the file holds.
    let isInDoubt: Bool
    private(set) var standing: Standing
    /// Those whose change is not in the file, if the save ends here.
    private(set) var unanswered: [SaveRequest] = []
    /// What the file holds, if the last bytes have come into it.
    private(set) var answer: Answer?
    /// What it holds for certain.
    private(set) var confirmed: Answer?

    init(_ standing: Standing, on ground: Ground, isInDoubt: Bool = false) {
        (self.standing, self.ground, self.isInDoubt) = (standing, ground, isInDoubt)
    }

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
        unanswered += requests
        stand(by: newest)
        answer = nil
        // Somebody has removed what we had written: who has come since goes on waiting.
        if confirmed != nil, found.contents == nil { throw SaveObstacle.seen(.missing) }
        var answer = try met(try start(found.contents), intentions, isThere: found.contents != nil, at: moment)
        for edit in found.displaced { try merge(edit, into: &answer, at: moment) }
        try make(unanswered, in: &answer)
        try write(&answer, isThere: found.contents != nil, at: moment)
        // Those who wait want the disk to have it, whoever wrote it.
        let isWaitedFor = unanswered.contains { $0.change != nil || found.contents != nil }
        let isWanted = isWaitedFor || isInDoubt && found.contents != nil || !found.displaced.isEmpty
        let isWritten = answer.isChange || isWanted
        if isWritten { answer.isMissing = false }
        self.answer = answer
        return isWritten ? answer.document.bytes : nil
    }

    /// The last bytes were in the file for all to see: what comes is about them.
    private mutating func accept() {
        guard let answer else { return }
        confirmed = confirmed?.followed(by: answer) ?? answer
        standing.document = answer.document
        standing.own.take(answer.notes)
        (unanswered, self.answer) = ([], nil)
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
            if !standing.isMissing { throw SaveObstacle.seen(.missing) }
            return try standing.document ?? JSONDocument(parsing: "{}", options: ground.parsing)
        }
        do throws(JSONSyntaxError) {
            return try standing.document(of: contents.bytes, ground.parsing)
        } catch {
            throw SaveObstacle.seen(.refused(Problem(.syntax, ground.meeting.file, error), .unfinished))
        }
    }
}

extension Save.Answer {
    /// What had to give way, where memory has `tree` by now: what the program has changed again since is still to be put
    /// together with what the file says, if that is what somebody else wrote.
    func losses(decidedFor tree: JSON) -> [Problem] {
        if tree.isIdentical(to: mine) { return losses }
        return losses.filter { loss in
            guard loss.code != .restored, let path = loss.path else { return true }
            return tree[at: path] == mine[at: path] || document.value[at: path] != loss.values?.theirs
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
