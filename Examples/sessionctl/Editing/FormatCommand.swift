import LosslessJSON

extension Option {
    static let check = Option(name: "check", help: "change nothing; report files that would change")
}

extension Command {
    static let format = Command(
        name: "format",
        summary: "format files: one member per line, indented by two spaces",
        explanation: """
            Formats files by changing white space only: comments, order, spelling, line
            endings and trailing commas are preserved. A comment stays on the line of its
            value or on its own line; consecutive blank lines become one. With --check,
            nothing is written; files that would change are reported, and the exit status
            is 1. The file - is standard input; the result goes to standard output.
            """,
        options: [.check, .redact],
        operands: [Operand(name: "FILE", isRepeated: true)],
        run: format,
        examples: """
            $ printf '{"port":80, // usual\\n"hosts":["a","b"]}' >compact.json
            $ sessionctl format --check compact.json
            compact.json: would be reformatted
            $ sessionctl format compact.json
            $ cat compact.json
            {
              "port": 80, // usual
              "hosts": ["a", "b"]
            }
            """)

    private static func format(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let files = try InputFile.list(arguments)
        return zip(arguments.operands, files).map { name, file in
            format(name, file, isCheck: arguments.has(.check))
        }.max() ?? .success
    }

    private static func format(_ name: String, _ file: InputFile, isCheck: Bool) -> ExitCode {
        do throws(Failure) {
            if isCheck { return try check(file) }
            let file = EditedFile(name, hiding: file.secrets)
            return try file.edit { document throws(Failure) in try formatted(document, file.title) }
        } catch {
            return error.report()
        }
    }

    private static func check(_ file: InputFile) throws(Failure) -> ExitCode {
        guard let document = try file.document() else { return .negative }
        if try formatted(document, file.title).bytes == document.bytes { return .success }
        Output.messages.writeLine("\(file.title): would be reformatted")
        return .negative
    }

    private static func formatted(_ document: JSONDocument, _ title: String) throws(Failure) -> JSONDocument {
        do throws(JSONEditError) {
            return try document.formatted()
        } catch {
            throw .negative("\(title): \(error.description)")
        }
    }
}
