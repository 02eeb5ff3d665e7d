import LosslessJSON

extension Option {
    static let strict = Option(
        name: "strict", help: "RFC 8259 only: no comments, no trailing commas")
}

extension Command {
    static let check = Command(
        name: "check",
        summary: "validate JSON files",
        explanation: """
            Validates JSON files. Reports each error as FILE:LINE:COLUMN, as compilers do,
            followed by the line and a caret. Prints nothing for valid files. A duplicate
            key in an object is a warning and does not affect the exit status. All files
            are checked. The file - is standard input, called <stdin> in messages. With
            --redact, no lines of the files are printed.
            """,
        options: [.strict, .redact],
        operands: [Operand(name: "FILE", isRepeated: true)],
        run: check)

    private static func check(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let files = try InputFile.list(arguments)
        let options = JSONDocument.Options(dialect: arguments.has(.strict) ? .json : .jsonc)
        return files.map { check($0, options) }.max() ?? .success
    }

    private static func check(_ file: InputFile, _ options: JSONDocument.Options) -> ExitCode {
        do throws(Failure) {
            let bytes = try file.read(limit: options.sizeLimit)
            return check(bytes, of: file, options)
        } catch {
            return error.report()
        }
    }

    private static func check(_ bytes: [UInt8], of file: InputFile, _ options: JSONDocument.Options) -> ExitCode {
        do throws(JSONSyntaxError) {
            for warning in try JSONDocument(parsing: bytes, options: options).warnings {
                Output.messages.writeLine(file.secrets.redacting(warning).report(file: file.title))
            }
            return .success
        } catch {
            Output.messages.writeLine(file.secrets.redacting(error).report(file: file.title))
            return .negative
        }
    }
}
