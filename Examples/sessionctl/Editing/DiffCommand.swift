import LosslessJSON

extension Command {
    static let diff = Command(
        name: "diff",
        summary: "compare the values of two files",
        explanation: """
            Compares the values of two files. Prints one line for each difference: + for a
            value only in B, - for a value only in A, ~ for a changed value. Comments,
            layout, the order of members and the spelling of numbers are ignored. Colored
            on a terminal, unless NO_COLOR is set. With --json, each line is an object with
            "path", "old", "new" and the "line" in B; absent values are omitted. One of the
            files can be -, standard input. The exit status is 0 if the values are equal,
            1 if they differ, 3 if a file cannot be read or is not valid JSON.
            """,
        options: [.json, .redact],
        operands: [Operand(name: "A"), Operand(name: "B")],
        run: diff,
        examples: """
            $ cp server.json yesterday.json
            $ sessionctl set server.json http.port=9090 http.tls=true
            $ sessionctl unset server.json http.host
            $ sessionctl diff yesterday.json server.json
            ~ http.port: 8080 → 9090
            - http.host: "localhost"
            + http.tls: true
            """,
        environment: [.noColor])

    private static func diff(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let files = try InputFile.list(arguments)
        guard let old = try document(files[0]), let new = try document(files[1]) else { return .systemError }
        let changes = new.value.difference(from: old.value).map { files[0].secrets.redacting($0) }
        if changes.isEmpty { return .success }
        let lines = arguments.has(.json) ? objects(changes, new) : lines(of: changes)
        try Output.standard.write(lines.map { $0 + "\n" }.joined())
        return .negative
    }

    private static func document(_ file: InputFile) throws(Failure) -> JSONDocument? {
        do throws(Failure) { return try file.document() } catch { throw error.asSystemError }
    }

    /// A line for each difference, colored on a terminal.
    static func lines(of changes: [JSONChange]) -> [String] {
        let terminal = Terminal()
        return changes.map { change in
            let line = line(change)
            return terminal?.colored(line, change.kind) ?? line
        }
    }

    private static func line(_ change: JSONChange) -> String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 200) ?? "" }
        return switch change.kind {
        case .added: "+ \(change.path.title): \(text(change.new))"
        case .removed: "- \(change.path.title): \(text(change.old))"
        case .changed: "~ \(change.path.title): \(text(change.old)) → \(text(change.new))"
        }
    }

    private static func objects(_ changes: [JSONChange], _ new: JSONDocument) -> [String] {
        let places = new.locations(of: changes.lazy.filter { $0.kind != .removed }.map(\.path))
        return changes.map { change in
            let located = LocatedChange(change: change, line: places[change.path]?.line)
            return JSONLinesFormat.line(JSONLinesFormat.object(located))
        }
    }
}
