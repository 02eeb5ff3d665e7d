import Glibc

/// What the last word of a command line can be.
struct CompletionContext {
    /// The last word, up to the cursor.
    let word: String
    private(set) var command: Command?
    private(set) var position = Position.nothing
    /// The operands before the last word, and the options with their values.
    private(set) var arguments = Arguments()

    enum Position {
        case nothing
        case command
        case option
        /// The value of an option. `prefix` is the text before it in the same word: `--from=`.
        case value(of: Option, prefix: String)
        /// The operand, counting from 0. After `--`, a dash does not begin an option.
        case operand(Int, isAfterDashes: Bool)
    }

    /// - Parameter words: The first is the name of the program.
    init(_ words: [String]) {
        word = words.last ?? ""
        let previous = Array(words.dropLast())
        if previous.isEmpty { return }
        do throws(Failure) {
            guard let (name, index) = try CompletionContext.commandName(previous) else {
                position = word.hasPrefix("-") ? .option : .command
                return
            }
            guard let known = Command.all.first(where: { $0.name == name }) else { return }
            command = known
            try readArguments(Array(previous[index...]), known.options + Option.common)
        } catch {
            position = .nothing
        }
    }

    /// The first operand and its index. Throws for a line that the program would reject.
    private static func commandName(_ words: [String]) throws(Failure) -> (name: String, index: Int)? {
        try withArgumentScan(words, Option.common) { scan throws(Failure) in
            while let found = try scan.next() {
                if case .operand(let name, let index, _) = found { return (name, index) }
            }
            return nil
        }
    }

    /// Scans the arguments with the option `--help` in place of the last word: it is read as an option, as the value of
    /// the option before it, or, after `--`, as an operand.
    private mutating func readArguments(_ words: [String], _ options: [Option]) throws(Failure) {
        let probe = "--\(Option.help.name)"
        let found = try withArgumentScan(words + [probe], options) { scan throws(Failure) in
            var found: [ArgumentScan.Found] = []
            while let next = try scan.next() { found.append(next) }
            return found
        }
        for case .operand(let text, _, _) in found.dropLast() { arguments.operands.append(text) }
        for case .option(let option, let value) in found.dropLast() { arguments.add(option, value: value) }
        switch found.last {
        case .operand(_, _, let isAfterDashes):
            position = .operand(arguments.operands.count, isAfterDashes: isAfterDashes)
        case .option(let option, .some): position = .value(of: option, prefix: "")
        default: position = positionOfWord(options)
        }
    }

    private func positionOfWord(_ options: [Option]) -> Position {
        guard word.hasPrefix("-") else { return .operand(arguments.operands.count, isAfterDashes: false) }
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return .option }
        let name = word[..<equals].dropFirst(2)
        let meant = options.filter { $0.name.hasPrefix(name) }
        guard let option = meant.first(where: { $0.name == name }) ?? (meant.count == 1 ? meant[0] : nil),
            option.value != nil
        else { return .nothing }
        return .value(of: option, prefix: String(word[...equals]))
    }
}

/// Scans words that are not the arguments of this process.
private func withArgumentScan<Result>(
    _ words: [String], _ options: [Option], _ body: (inout ArgumentScan) throws(Failure) -> Result
) throws(Failure) -> Result {
    let vector = ArgumentVector.allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() { vector[index] = strdup(word) }
    vector[words.count] = nil
    defer {
        for index in words.indices { free(vector[index]) }
        vector.deallocate()
    }
    var scan = ArgumentScan(vector, count: Int32(words.count), options: options)
    return try body(&scan)
}
