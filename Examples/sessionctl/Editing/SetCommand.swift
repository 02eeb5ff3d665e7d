import LosslessJSON
import VisibleText

extension Option {
    static let string = Option(name: "string", letter: "s", help: "use the value as a string, not as JSON")
    static let from = Option(name: "from", value: "FILE", help: "read the value from FILE, or from standard input (-)")
    static let onlyIf = Option(
        name: "if", value: "JSON", help: "only if this is the value; exit with status 1 otherwise")
    static let create = Option(name: "create", help: "create missing directories of FILE, as mkdir -p does")
    static let dryRun = Option(name: "dry-run", letter: "n", help: "print the differences, and change nothing")
}

extension Command {
    static let set = Command(
        name: "set",
        summary: "set the values at paths, and preserve all other bytes",
        explanation: """
            Sets the value at PATH to JSON. Creates missing intermediate objects. Appends to
            an array if the index is the number of elements, or -, as in RFC 6901.
            All other bytes of the file are preserved: comments, layout, order, spelling. A
            value that already equals JSON keeps its spelling (1.0 equals 1). A missing file
            is created with the permissions that the umask leaves of 0666, and one with
            comments only gets an object after them; a file that is not valid JSON is not
            changed. With --create, missing directories are created, too. The file - is
            standard input; the edited text then goes to standard output.

            If each operand after FILE has an equals sign, it is PATH=JSON, and all values
            are set in one step. PATH ends at the first equals sign that valid JSON follows.
            With --from, the only operand after FILE is PATH; with --string, the final line
            end of a file is a part of the value. With --if, the comparison and the change
            are one step among programs that use this library; a missing value is not equal
            to any JSON.
            """,
        options: [.string, .from, .onlyIf, .create, .dryRun, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH JSON|PATH=JSON", isRepeated: true)],
        run: set,
        examples: """
            $ sessionctl set server.json http.port 9090
            $ sessionctl set server.json http.port=8080 'log="debug"'
            $ sessionctl set --if 8080 server.json http.port 9090
            $ sessionctl set --dry-run server.json http.tls true
            + http.tls: true
            $ sessionctl set --string server.json name Ada
            $ cat server.json
            {
              // where it listens
              "http": {
                "port": 9090,
                "host": "localhost"
              },
              "log": "debug",
              "name": "Ada"
            }
            $ sessionctl set --create sites/a/site.json http.port 80
            """,
        environment: [.noColor])

    private static func set(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let values: [PathValue]
        do throws(Failure) {
            values = try PathValue.list(arguments)
        } catch {
            // The name of a new file may come first: only operands that cannot be used are in the wrong order.
            try arguments.requireFileFirst()
            throw error
        }
        let expected = try arguments.value(of: .onlyIf).map { text throws(Failure) in
            let value = try JSON(
                operand: text, for: "--if: ", isSecret: arguments.has(.redact),
                advice: "for a string, write '\"\(text)\"'")
            return PathValue(path: values[0].path, value: value)
        }
        if expected != nil, values.count > 1 { throw .usageError("--if needs a single PATH") }
        let edit = try CommittedEdit(arguments, createsFile: true)
        let (title, secrets) = (edit.file.title, edit.file.secrets)
        let change = { @Sendable (json: JSON) throws -> JSON in
            if let expected, !expected.isReached(in: json) {
                throw Failure.negative("\(title): \(expected.difference(in: json, hiding: secrets))")
            }
            var result = json
            for value in values {
                do {
                    result = try result.setting(value.path, to: value.value)
                } catch let error as JSONEditError {
                    throw error.failure(title, in: secrets.redacting(result))
                }
            }
            for value in values { try value.path.requireNoSubscripts(in: json, title, hiding: secrets) }
            return result
        }
        if arguments.has(.dryRun) { return try preview(edit, change) }
        return try edit.apply(change) == nil ? .negative : .success
    }

    private static func preview(
        _ edit: CommittedEdit, _ change: @escaping @Sendable (JSON) throws -> JSON
    ) throws(Failure) -> ExitCode {
        guard let (old, new) = try edit.preview(change) else { return .negative }
        let changes = new.difference(from: old).map { edit.file.secrets.redacting($0) }
        try Output.standard.write(lines(of: changes).map { $0 + "\n" }.joined())
        return .success
    }
}

extension JSONPointer {
    /// Throws if the path has no value because an index is in brackets, `hosts[0]`, or nothing is, `hosts[]`, or a key,
    /// `hosts["a"]`: it would become a part of a key.
    func requireNoSubscripts(in json: JSON, _ title: String, hiding secrets: JSONSecrets) throws(Failure) {
        guard json[at: self] == nil, let meant = subscripted(in: json) else { return }
        let reason = MissingPath(self, in: secrets.redacting(json)).description
        let isUsable = json[at: meant] == nil && (try? json.setting(meant, to: nil)) != nil
        throw .negative("\(title): \(reason)\(isUsable ? "; write \(meant.title)" : "")")
    }

    /// The path with what is in brackets as tokens, if the value before the brackets exists.
    private func subscripted(in json: JSON) -> JSONPointer? {
        guard let place = tokens.firstIndex(where: { $0.contains("[") }) else { return nil }
        if tokens[place].hasSuffix("[]") {
            let list = JSONPointer(tokens[..<place] + [String(tokens[place].dropLast(2))])
            return json[at: list]?.array == nil ? nil : JSONPointer(list.tokens + ["-"] + tokens[(place + 1)...])
        }
        guard let meant = splittingSubscripts else {
            return tokens[place].contains("[\"") ? joiningDottedKeys(in: json) : nil
        }
        let list = JSONPointer(Array(meant.tokens.prefix(tokens[place].hasPrefix("[") ? place : place + 1)))
        return json[at: meant] != nil || json[at: list]?.array != nil ? meant : nil
    }
}

extension JSONEditError {
    /// Describes a missing path like `get` does.
    func failure(_ title: String, in value: JSON) -> Failure {
        .negative("\(title): \(code == .missing ? MissingPath(path, in: value).description : description)")
    }
}

extension Command {
    static let unset = Command(
        name: "unset",
        summary: "remove the value at a path, and preserve all other bytes",
        explanation: """
            Removes the member or element at PATH, with its comma and its own comments. All
            other bytes of the file are preserved. If there is no value at PATH, the exit
            status is 1. The file - is standard input; the edited text then goes to standard
            output.
            """,
        options: [.redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH")],
        run: unset,
        examples: """
            $ sessionctl unset server.json http.host
            $ cat server.json
            {
              // where it listens
              "http": {
                "port": 8080
              },
              "log": "info"
            }
            """)

    private static func unset(_ arguments: Arguments) throws(Failure) -> ExitCode {
        try arguments.requireFileFirst()
        let path = try JSONPointer(operand: arguments.operands[1])
        let edit = try CommittedEdit(arguments, createsFile: false)
        return try edit.apply { try $0.removing(path) } == nil ? .negative : .success
    }
}
