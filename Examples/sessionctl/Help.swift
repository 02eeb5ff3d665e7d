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

        Checks, reads, edits, merges and watches JSON files.

        Commands:
        \(rows(Command.all.map { ($0.name, $0.summary) }))

        Options:
        \(rows(Option.common.map { ($0.spelling, $0.help) }))

        "\(Sessionctl.name) COMMAND --help" describes a command. Options may precede or follow
        the operands and may be abbreviated; "--" ends them. An argument that looks like
        a negative number is an operand.

        \(exitStatus)

        """
    }

    private static func text(of command: Command) -> String {
        """
        usage: \(Sessionctl.name) \(command.name) \(command.usage)

        \(command.explanation)

        Options:
        \(rows((command.options + Option.common).map { ($0.spelling, $0.help) }))

        \(exitStatus)

        """
    }

    private static let exitStatus = """
        Exit status:
          0  success
          1  negative result: invalid JSON, no value at the path, a timeout
          2  usage error
          3  system error: a file cannot be read, the output cannot be written
        """

    private static func rows(_ rows: [(term: String, text: String)]) -> String {
        let width = rows.map(\.term.count).max() ?? 0
        return rows.map { row in
            "  \(row.term)\(String(repeating: " ", count: width - row.term.count))  \(row.text)"
        }.joined(separator: "\n")
    }
}
