import LosslessJSON
import VisibleText

extension Option {
    static let raw = Option(name: "raw", letter: "r", help: "print strings without quotes and escapes")
    static let fallback = Option(name: "default", value: "JSON", help: "print this where a PATH has no value")
    static let shell = Option(name: "shell", value: "PREFIX", help: "print assignments for a shell")
    static let environment = Option(name: "env", value: "PREFIX", help: "print lines of an environment file")
}

extension Command {
    static let get = Command(
        name: "get",
        summary: "print the values at paths",
        explanation: """
            Prints the value at each PATH as JSON, or the whole value. PATH has the dotted
            form, http.port, or the form of RFC 6901, /http/port, which also reaches keys
            that contain dots. Array indices start at 0. An asterisk stands for every key or
            index: http.*.port; in the form of RFC 6901, ~2 is the key *. Comments and
            trailing commas are accepted. The file - is standard input.

            If a PATH has no value, the others are printed, and the exit status is 1.

            With --shell and --env, each value is printed as PREFIX_http_port='8080', with
            the names of the path joined by underscores; PREFIX may be empty. Objects and
            arrays are printed member by member. --shell quotes for eval in any POSIX shell,
            --env for the environment files of systemd. Nothing is printed if a name would
            not be valid, or would have two values. Without a PREFIX, a file can assign any
            variable, such as PATH.

            On a terminal, control and invisible characters are printed as escapes, or as
            replacement characters with --raw. A pipe receives every character.
            """,
        options: [.raw, .fallback, .shell, .environment, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true, isRepeated: true)],
        run: get,
        examples: """
            $ sessionctl get server.json http.port
            8080
            $ sessionctl get --raw server.json http.host log
            localhost
            info
            $ sessionctl get server.json 'http.*'
            8080
            "localhost"
            $ sessionctl get server.json http.tls --default false
            false
            $ sessionctl get server.json http --shell APP
            APP_http_port='8080'
            APP_http_host='localhost'
            """)

    private static func get(_ arguments: Arguments) throws(Failure) -> ExitCode {
        try arguments.requireFileFirst()
        let file = InputFile(arguments.operands[0], hiding: try arguments.secrets)
        let query = try ValueQuery(arguments)
        let format = try ValueFormat(arguments)
        guard let root = try file.document()?.value else { return .negative }
        let found = query.values(in: root, of: file)
        for failure in found.missing { failure.report() }
        try Output.standard.write(try format.text(of: found.values, file))
        return found.missing.isEmpty ? .success : .negative
    }
}

/// A value and its path; nil for the default of a path with an asterisk.
private typealias FoundValue = (path: JSONPointer?, value: JSON)

/// The paths of a command line, and the value of those that lead nowhere.
private struct ValueQuery {
    let patterns: [(pattern: JSONPathPattern, text: String)]
    let fallback: JSON?

    init(_ arguments: Arguments) throws(Failure) {
        var patterns: [(pattern: JSONPathPattern, text: String)] = []
        for text in arguments.operands.dropFirst() { patterns.append((try JSONPathPattern(operand: text), text)) }
        if patterns.isEmpty { patterns = [(JSONPathPattern(JSONPointer()), "")] }
        self.patterns = patterns
        fallback = try arguments.value(of: .fallback).map { text throws(Failure) in
            try JSON(operand: text, for: "--default: ", advice: "for a string, write '\"\(text)\"'")
        }
    }

    /// The values with their paths, and a failure for each path without one.
    func values(in root: JSON, of file: InputFile) -> (values: [FoundValue], missing: [Failure]) {
        var values: [FoundValue] = []
        var missing: [Failure] = []
        for (pattern, text) in patterns {
            let paths = pattern.paths(in: root)
            let path = pattern.path
            if !paths.isEmpty {
                values += paths.map { ($0, file.secrets.redacting(root[at: $0]!, at: $0)) }  // the pattern has found it
            } else if let fallback {
                values.append((path, fallback))
            } else {
                let reason =
                    path.map { MissingPath($0, in: file.secrets.redacting(root)).description }
                    ?? "no value at any \(text.visible(upTo: 200))"
                missing.append(.negative("\(file.title): \(reason)"))
            }
        }
        return (values, missing)
    }
}

/// How values are printed.
private enum ValueFormat {
    case json
    case raw
    case assignments(Assignments.Syntax, prefix: String)

    init(_ arguments: Arguments) throws(Failure) {
        let chosen = [Option.raw, .shell, .environment].filter(arguments.has)
        if chosen.count > 1 { throw .usageError("--\(chosen[0].name) and --\(chosen[1].name) exclude each other") }
        if let prefix = arguments.value(of: .shell) {
            self = .assignments(.shell, prefix: try ValueFormat.prefix(prefix, of: .shell))
        } else if let prefix = arguments.value(of: .environment) {
            self = .assignments(.environmentFile, prefix: try ValueFormat.prefix(prefix, of: .environment))
        } else {
            self = arguments.has(.raw) ? .raw : .json
        }
    }

    private static func prefix(_ text: String, of option: Option) throws(Failure) -> String {
        if text.isEmpty || text.isVariableName { return text }
        throw .usageError(
            "--\(option.name): \(text.visible(upTo: 60)) cannot begin the name of a variable; PREFIX has ASCII letters,"
                + " digits and _, and begins with no digit")
    }

    func text(of values: [FoundValue], _ file: InputFile) throws(Failure) -> String {
        if case .assignments(let syntax, let prefix) = self {
            var assignments = Assignments(syntax, prefix: prefix, title: file.title)
            for (path, value) in values {
                guard let path else {
                    throw .negative("\(file.title): --default has no name for a PATH with an asterisk")
                }
                try assignments.add(value, at: path)
            }
            return Terminal.isOutput ? assignments.text.visibleLines : assignments.text
        }
        return values.map { text(of: $0.value) }.joined()
    }

    private func text(of value: JSON) -> String {
        let isShown = Terminal.isOutput
        if case .raw = self, let string = value.string { return (isShown ? string.visibleLines : string) + "\n" }
        let text = JSONPrinter(layout: .lines).string(value)
        return isShown ? text.escapingInvisible : text
    }
}
