import DurableFiles
import LosslessJSON

extension EditRun {
    /// Puts what the person wrote into the file, with what others changed meanwhile; false when the person wants to edit
    /// again.
    ///
    /// Questions are asked between two tries, not while writers are held back.
    func save(_ document: JSONDocument, _ base: [UInt8]) throws(Failure) -> Bool {
        var edit = HandEdit(title: title, base: base, mine: document)
        while true {
            let replacement = try replace(&edit)
            guard let open = edit.open else {
                tell(replacement, edit)
                return true
            }
            if try !settle(open, in: &edit) { return false }
        }
    }

    private func replace(_ edit: inout HandEdit) throws(Failure) -> Replacement {
        do {
            return try DurableFile(name).replace(limit: Self.limit) { found in try edit.bytes(for: found) }
        } catch let error as JSONSyntaxError {
            Output.messages.say(error.report(file: title))
            throw .refused("\(title): others changed it meanwhile, and it is no JSON now: nothing was saved")
        } catch {
            throw Failure(ofReplacing: title, error)
        }
    }

    private func tell(_ replacement: Replacement, _ edit: HandEdit) {
        if replacement.method != .unchanged, replacement.contents?.bytes != edit.mine.bytes {
            Output.messages.say("\(title): others changed it meanwhile, which is merged with what you wrote")
        }
        for line in replacement.complaints { Output.messages.say("\(Sessionctl.name): \(title): \(line)") }
    }

    /// Lets the person decide; false when that takes the editor.
    private func settle(_ open: HandEdit.Open, in edit: inout HandEdit) throws(Failure) -> Bool {
        switch open {
        case .values(let conflicts):
            for conflict in conflicts {
                Output.messages.say("\(title): conflict: \(text(of: conflict))")
                guard let side = try side("Whose value? (m)ine, (t)heirs, (e)dit again") else { return false }
                edit.decide(conflict, for: side)
            }
        case .text(let theirs, let isMerged):
            let reason =
                isMerged
                ? "others changed its comments or layout meanwhile, and so did you"
                : "others changed it meanwhile, and it was no JSON before: nothing can be merged"
            Output.messages.say("\(title): conflict: \(reason)")
            let whose = isMerged ? "Whose text, with the values of both?" : "Whose text?"
            guard let side = try side("\(whose) (m)ine, (t)heirs, (e)dit again") else { return false }
            edit.decide(theirs, for: side)
        }
        return true
    }

    /// nil for the wish to edit again.
    private func side(_ text: String) throws(Failure) -> JSONMerge.Side? {
        let question = Question<JSONMerge.Side?>(text: text, answers: ["m": .ours, "t": .theirs, "e": nil])
        guard let answer = try question.ask() else { throw unanswered }
        return answer
    }

    private func text(of conflict: JSONConflict) -> String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 80) ?? "nothing" }
        return "\(conflict.path.title): \(text(conflict.base)) became \(text(conflict.ours)) in what you wrote, and"
            + " \(text(conflict.theirs)) in the file"
    }
}
