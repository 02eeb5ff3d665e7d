/// The texts of `--help`, in the format that help2man and bash-completion parse.
enum Help {
    /// The usage of a command, or of the program, in two or three lines.
    static func usage(_ command: Command?) -> String {
        guard let command else {
            return """
                usage: \(Sessionctl.name) COMMAND [OPTION…] [OPERAND…]
                commands: \(Command.all.map(\.name).joined(separator: ", "))
                more: \(Sessionctl.name) --help
                """
        }
        return """
            usage: \(Sessionctl.name) \(command.name) \(command.usage)
            more: \(Sessionctl.name) \(command.name) --help
            """
    }

    static func text(_ command: Command?) -> String { command.map(text(of:)) ?? overview }

    private static var overview: String {
        """
        usage: \(Sessionctl.name) COMMAND [OPTION…] [OPERAND…]

        \(purpose)

        Commands:
        \(rows(Command.all.map { ($0.name, $0.summary) }))

        Options:
        \(rows(Option.common.map { ($0.spelling, $0.help) }))

        "\(Sessionctl.name) COMMAND --help" describes a command. \(conventions)

        \(exitStatus)

        """
    }

    static let purpose = "Checks, reads, edits, merges and watches JSON files."

    static let conventions = """
        Options may precede or follow
        the operands and may be abbreviated; "--" ends them. An argument that looks like
        a negative number is an operand.
        """

    /// For sessionctl(1).
    static let examples = """
        $ cat server.json
        {
          // where it listens
          "http": {
            "port": 8080,
            "host": "localhost"
          },
          "log": "info"
        }
        $ sessionctl get server.json http.port
        8080
        $ sessionctl set server.json http.port 9090
        $ sessionctl get server.json 'http.*'
        9090
        "localhost"
        """

    private static func text(of command: Command) -> String {
        """
        usage: \(Sessionctl.name) \(command.name) \(command.usage)

        \(command.explanation)

        Options:
        \(rows((command.options + Option.common).map { ($0.spelling, $0.help) }))

        \(exitStatus)

        """
    }

    private static var exitStatus: String {
        """
        Exit status:
        \(rows(ExitCode.meanings.map { ("\($0.code.rawValue)", $0.text) }))
        """
    }

    private static func rows(_ rows: [(term: String, text: String)]) -> String {
        let width = rows.map(\.term.count).max() ?? 0
        return rows.map { row in
            "  \(row.term)\(String(repeating: " ", count: width - row.term.count))  \(row.text)"
        }.joined(separator: "\n")
    }
}
