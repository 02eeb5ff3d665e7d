import DurableFiles
import LosslessJSON

extension EditWorkflow {
    enum SaveResult {
        case saved
        /// The user wants to edit the text again.
        case again
        /// The user wants to edit the merged text, which the check has rejected.
        case againMerged(CheckedSave.Unchecked)
        case givenUp
    }

    /// Merges the edited text into the file, checks the result, and saves it.
    ///
    /// Prompts and checks between two attempts, not while writers are blocked.
    func save(_ document: JSONDocument, _ base: [UInt8]) throws(Failure) -> SaveResult {
        var edit = EditorMerge(title: title, base: base, mine: document)
        var save = CheckedSave(isRequired: check != nil)
        var checks = 0
        while true {
            let replacement = try replace(&edit, &save)
            if let unresolved = edit.unresolved {
                if try !resolve(unresolved, in: &edit) { return .again }
            } else if let check, let text = save.unchecked {
                if checks == Self.maximumChecks {
                    throw .systemError("\(title): others keep changing it during the check: nothing was saved")
                }
                checks += 1
                if let rejection = try check.rejection(of: text.bytes, named: name) {
                    return try answer(to: rejection, of: text, document, save)
                }
                save.accept(text)
            } else {
                report(replacement, edit)
                return .saved
            }
        }
    }

    private static var maximumChecks: Int { 10 }

    private func replace(_ edit: inout EditorMerge, _ save: inout CheckedSave) throws(Failure) -> Replacement {
        do {
            return try DurableFile(name).replace(limit: Self.limit, options: .forCommands()) { found in
                try save.bytes(for: found) { try edit.bytes(for: $0) }
            }
        } catch let error as JSONSyntaxError {
            Output.messages.writeLine(secrets.redacting(error).report(file: title))
            throw .systemError("\(title): another program made it invalid during the edit: nothing was saved")
        } catch {
            throw Failure(ofReplacing: title, error)
        }
    }

    private func report(_ replacement: Replacement, _ edit: EditorMerge) {
        if replacement.method != .unchanged, replacement.contents?.bytes != edit.mine.bytes {
            Output.messages.writeLine("\(title): merged with changes made by others during the edit")
        }
        for line in replacement.warningLines { Output.messages.writeLine("\(Sessionctl.name): \(title): \(line)") }
    }

    /// Reports that the check has rejected a text, and asks what to do.
    private func answer(
        to rejection: String, of text: CheckedSave.Unchecked, _ mine: JSONDocument, _ save: CheckedSave
    ) throws(Failure) -> SaveResult {
        let isMerged = text.bytes != mine.bytes
        let subject = isMerged ? "your text, merged with changes made by others during the edit: " : ""
        Output.messages.writeLine("\(title): \(subject)\(rejection)")
        if try asksToEdit(isMerged ? "(e)dit the merged text" : "(e)dit again") {
            return isMerged ? .againMerged(text) : .again
        }
        let ending = save.written == nil ? "nothing was saved" : "your text was saved before these changes became known"
        Output.messages.writeLine("\(title): \(ending)")
        return .givenUp
    }

    /// Asks the user to resolve the conflict; false if the user wants to edit again.
    private func resolve(
        _ unresolved: EditorMerge.UnresolvedConflict, in edit: inout EditorMerge
    ) throws(Failure) -> Bool {
        switch unresolved {
        case .values(let conflicts):
            for conflict in conflicts {
                Output.messages.writeLine("\(title): conflict: \(text(of: secrets.redacting(conflict)))")
                guard let side = try side("Whose value? (m)ine, (t)heirs, (e)dit again") else { return false }
                edit.resolve(conflict, with: side)
            }
        case .text(let theirs, let isMerged):
            let reason =
                isMerged
                ? "both you and others changed comments or layout"
                : "changed by others, and not valid JSON before the edit: it cannot be merged"
            Output.messages.writeLine("\(title): conflict: \(reason)")
            let whose = isMerged ? "Whose text, with merged values?" : "Whose text?"
            guard let side = try side("\(whose) (m)ine, (t)heirs, (e)dit again") else { return false }
            edit.resolve(theirs, with: side)
        }
        return true
    }

    /// The side that the user chooses; nil to edit again.
    private func side(_ text: String) throws(Failure) -> JSONMerge.Side? {
        let prompt = Prompt<JSONMerge.Side?>(text: text, answers: ["m": .ours, "t": .theirs, "e": nil])
        guard let answer = try prompt.readAnswer() else { throw noAnswer }
        return answer
    }

    private func text(of conflict: JSONConflict) -> String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 80) ?? "(none)" }
        return "\(conflict.path.title): was \(text(conflict.base)), now \(text(conflict.ours)) in your text and"
            + " \(text(conflict.theirs)) in the file"
    }
}
