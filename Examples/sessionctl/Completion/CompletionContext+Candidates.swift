import LosslessJSON

extension CompletionContext {
    /// The candidates for the last word. Empty for a line that the program would reject.
    var candidates: Candidates {
        var result = Candidates()
        switch position {
        case .nothing: break
        case .command: add(Command.all.map { Candidate(text: $0.name, note: $0.summary) }, to: &result)
        case .option: add(options, to: &result)
        case .value(let option, let prefix): addValues(option.value ?? "", after: prefix, isOperand: false, to: &result)
        case .operand(let index, let isAfterDashes):
            guard let operand = command?.operand(at: index, isAfterDashes: isAfterDashes) else { break }
            addValues(operand.name, after: "", isOperand: true, to: &result)
        }
        return result
    }

    private var options: [Candidate] {
        ((command?.options ?? []) + Option.common).flatMap { option -> [Candidate] in
            let isPartial = option.value != nil
            let long = Candidate(
                text: "--\(option.name)\(isPartial ? "=" : "")", note: option.help, isPartial: isPartial)
            let short = option.letter.map { Candidate(text: "-\($0)", note: option.help) }
            return (short.map { [$0] } ?? []) + [long]
        }
    }

    /// Adds those that begin with the word.
    private func add(_ words: [Candidate], after prefix: String = "", to result: inout Candidates) {
        let words = words.map { Candidate(text: prefix + $0.text, note: $0.note, isPartial: $0.isPartial) }
        result.add(words.filter { $0.text.hasPrefix(word) }, typed: word)
    }

    /// Adds what a placeholder of the help stands for.
    private func addValues(_ placeholder: String, after prefix: String, isOperand: Bool, to result: inout Candidates) {
        switch placeholder {
        case "FILE", "A", "B", "BASE", "OURS", "THEIRS", "--exec -- CMD ARG": result.add(names: .files, after: prefix)
        case "DIRECTORY": result.add(names: .directories, after: prefix)
        case "PATH": addPaths(after: prefix, to: &result)
        case "FILE|PATH":
            addPaths(after: prefix, to: &result)
            result.add(names: .files, after: prefix)
        case "PATH=JSON": addAssignments(after: prefix, to: &result)
        case "PATH JSON|PATH=JSON": addChanges(to: &result)
        case "COMMAND" where isOperand:
            let names = Command.all.map { Candidate(text: $0.name, note: $0.summary) }
            add(names + [Candidate(text: ManualPage.fileFormatName.name, note: "the format of files")], to: &result)
        default:
            // Words in lower case are to be typed as they are.
            let choices = placeholder.split(separator: "|").filter { $0.first?.isLowercase == true }
            add(choices.map { Candidate(text: String($0), note: "") }, after: prefix, to: &result)
        }
    }
}

/// Paths and values of the file that the line names.
extension CompletionContext {
    private func addPaths(after prefix: String, isAssigned: Bool = false, to result: inout Candidates) {
        guard let root = fileContent else { return }
        // Only these have asterisks.
        let isPattern = command?.name == Command.get.name || prefix.hasPrefix("--\(Option.redact.name)")
        let search = PathSearch(root: root, isPattern: isPattern, isAssigned: isAssigned)
        let words = search.candidates(for: String(word.dropFirst(prefix.count)))
            .map { Candidate(text: prefix + $0.text, note: $0.note, isPartial: $0.isPartial) }
        result.add(words, typed: word)
    }

    private func addAssignments(after prefix: String, to result: inout Candidates) {
        let typed = word.dropFirst(prefix.count)
        if !typed.contains("=") { return addPaths(after: prefix, isAssigned: true, to: &result) }
        for equals in typed.indices where typed[equals] == "=" {
            let path = String(typed[..<equals])
            if addValues(at: path, after: prefix + path + "=", to: &result) { return }
        }
    }

    /// Adds the operands of `set` after the file: one path and its value, or assignments.
    private func addChanges(to result: inout Candidates) {
        let before = arguments.operands.dropFirst()
        switch before.first {
        case nil where word.contains("="): addAssignments(after: "", to: &result)
        case nil: addPaths(after: "", to: &result)
        case .some(let path) where !path.contains("="):
            if before.count == 1, !arguments.has(.from) { _ = addValues(at: path, after: "", to: &result) }
        case .some: addAssignments(after: "", to: &result)
        }
    }

    /// Adds the current value at a path, to be edited. False if there is none.
    private func addValues(at path: String, after prefix: String, to result: inout Candidates) -> Bool {
        guard let path = try? JSONPointer(parsing: path), let value = fileContent?[at: path],
            let secrets = try? arguments.secrets
        else { return false }
        let texts: [String] =
            switch secrets.redacting(value, at: path) {
            case .bool: ["true", "false"]
            case .number(let number): [number.spelling]
            case .string(let text) where secrets.redacting(value, at: path) == value:
                [arguments.has(.string) ? text.string : value.description]
            default: []
            }
        let words = texts.filter { $0.utf8.count <= 200 }.map { Candidate(text: $0, note: "current value") }
        add(words, after: prefix, to: &result)
        return true
    }

    /// The value of the first file. Nil if it is missing, invalid or too large to be read for a completion.
    private var fileContent: JSON? {
        let sizeLimit = 16 << 20
        guard let name = arguments.operands.first, name != "-",
            let bytes = try? InputFile(name, hiding: []).read(limit: sizeLimit)
        else { return nil }
        return try? JSONDocument(parsing: bytes).value
    }
}

extension Command {
    /// The operand with an index; the last one may be repeated. A command of `watch --exec` follows `--`.
    fileprivate func operand(at index: Int, isAfterDashes: Bool) -> Operand? {
        if isAfterDashes, let last = operands.last, last.name.hasPrefix("--") { return last }
        let operands = operands.filter { !$0.name.hasPrefix("--") }
        return index < operands.count ? operands[index] : operands.last.flatMap { $0.isRepeated ? $0 : nil }
    }
}
