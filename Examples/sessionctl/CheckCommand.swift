import LosslessJSON

extension Option {
    static let strict = Option(
        name: "strict", help: "RFC 8259 exactly: no comments, no trailing commas")
}

extension Command {
    static let check = Command(
        name: "check",
        summary: "say what is wrong in JSON files, and where",
        explanation: """
            Says what is wrong in JSON files, and where: FILE:LINE:COLUMN, as compilers do,
            then the line with a caret. Silent when all is well. A key that an object has
            twice is a warning and changes nothing about the exit status. All files are
            looked at. The file - is standard input, called <stdin> in messages.
            """,
        options: [.strict],
        operands: [Operand(name: "FILE", isRepeated: true)],
        run: check)

    private static func check(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let files = try InputFile.list(arguments.operands)
        let options = JSONDocument.Options(dialect: arguments.has(.strict) ? .json : .jsonc)
        return files.map { check($0, options) }.max() ?? .done
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
                Output.messages.say(warning.report(file: file.title))
            }
            return .done
        } catch {
            Output.messages.say(error.report(file: file.title))
            return .no
        }
    }
}
