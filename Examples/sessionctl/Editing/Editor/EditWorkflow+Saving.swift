import DurableFiles
import LosslessJSON

extension EditWorkflow {
    /// Merges the edited text into the file and saves it; false if the user wants to edit again.
    ///
    /// Prompts between two attempts, not while writers are blocked.
    func save(_ document: JSONDocument, _ base: [UInt8]) throws(Failure) -> Bool {
        var edit = EditorMerge(title: title, base: base, mine: document)
        while true {
            let replacement = try replace(&edit)
            guard let unresolved = edit.unresolved else {
                report(replacement, edit)
                return true
            }
            if try !resolve(unresolved, in: &edit) { return false }
        }
    }

    private func replace(_ edit: inout EditorMerge) throws(Failure) -> Replacement {
        do {
            return try DurableFile(name).replace(limit: Self.limit, options: .forCommands()) { found in
                try edit.bytes(for: found)
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
