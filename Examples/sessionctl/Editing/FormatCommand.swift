import LosslessJSON

extension Option {
    static let check = Option(name: "check", help: "change nothing; say which files would change")
}

extension Command {
    static let format = Command(
        name: "format",
        summary: "lay files out: one member a line, two spaces a level",
        explanation: """
            Lays files out as this program lays out new ones, by changing white space and
            nothing else: comments, order, spelling, line ends and commas at ends stay.
            Comments keep the line they are on or stand on their own, and of several blank
            lines one stays. With --check nothing is written; files that would change are
            said, and the exit status is then 1. The file - is standard input, laid out on
            standard output.
            """,
        options: [.check],
        operands: [Operand(name: "FILE", isRepeated: true)],
        run: format)

    private static func format(_ arguments: Arguments) throws(Failure) -> ExitCode {
        _ = try InputFile.list(arguments.operands)
        return arguments.operands.map { format($0, isCheck: arguments.has(.check)) }.max() ?? .done
    }

    private static func format(_ name: String, isCheck: Bool) -> ExitCode {
        do throws(Failure) {
            if isCheck { return try check(InputFile(name)) }
            let file = EditedFile(name)
            return try file.edit { document throws(Failure) in try formatted(document, file.title) }
        } catch {
            return error.report()
        }
    }

    private static func check(_ file: InputFile) throws(Failure) -> ExitCode {
        guard let document = try file.document() else { return .no }
        if try formatted(document, file.title).bytes == document.bytes { return .done }
        Output.messages.say("\(file.title): would be laid out differently")
        return .no
    }

    private static func formatted(_ document: JSONDocument, _ title: String) throws(Failure) -> JSONDocument {
        do throws(JSONEditError) {
            return try document.formatted()
        } catch {
            throw .no("\(title): \(error.description)")
        }
    }
}
