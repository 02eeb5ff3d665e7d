import Glibc
import LosslessJSON
import VisibleText

extension Option {
    static let raw = Option(name: "raw", help: "print a string without quotes and escapes")
}

extension Command {
    static let get = Command(
        name: "get",
        summary: "print the value at a path",
        explanation: """
            Prints the value at PATH as JSON, or the whole value. PATH has the dotted form,
            http.port, or the form of RFC 6901, /http/port, which also reaches keys that
            contain dots. Array indices start at 0. Comments and trailing commas are
            accepted. The file - is standard input.

            On a terminal, control and invisible characters are printed as escapes, or as
            replacement characters with --raw. A pipe receives every character.
            """,
        options: [.raw, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true)],
        run: get)

    private static func get(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let file = InputFile(arguments.operands[0], hiding: try arguments.secrets)
        let path = try arguments.operands.dropFirst().first.map(JSONPointer.init(operand:)) ?? JSONPointer()
        guard let value = try file.document()?.value else { return .negative }
        guard let found = value[at: path] else {
            throw .negative("\(file.title): \(MissingPath(path, in: file.secrets.redacting(value)).description)")
        }
        try Output.standard.write(text(of: file.secrets.redacting(found, at: path), isRaw: arguments.has(.raw)))
        return .success
    }

    private static func text(of value: JSON, isRaw: Bool) -> String {
        let isShown = isatty(STDOUT_FILENO) == 1
        if isRaw, let string = value.string { return (isShown ? string.visibleLines : string) + "\n" }
        let text = JSONPrinter(layout: .lines).string(value)
        return isShown ? text.escapingInvisible : text
    }
}
