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

            With --json, prints an object per error or warning, each on one line of standard
            output, with the members file, severity (error or warning), code, line, column
            and message. A file that cannot be read has the code "unreadable", and no line.
            """,
        options: [.strict, .json, .redact],
        operands: [Operand(name: "FILE", isRepeated: true)],
        run: check,
        examples: """
            $ sessionctl check server.json
            $ printf '{"port": }\\n' >bad.json
            $ sessionctl check bad.json
            bad.json:1:10: error: expected a value, found "}"
            {"port": }
                     ^
            $ printf '[1,]\\n' >list
            $ sessionctl check --strict list
            list:1:4: error: expected a value, found "]"; remove the comma before it
            [1,]
               ^
            """)

    private static func check(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let files = try InputFile.list(arguments)
        let options = JSONDocument.Options(dialect: arguments.has(.strict) ? .json : .jsonc)
        var code = ExitCode.success
        for file in files { code = max(code, try Check(file: file, usesJSON: arguments.has(.json)).run(options)) }
        return code
    }
}

/// The check of one file.
private struct Check {
    let file: InputFile
    let usesJSON: Bool

    func run(_ options: JSONDocument.Options) throws(Failure) -> ExitCode {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try file.read(limit: options.sizeLimit)
        } catch {
            guard usesJSON, let message = error.message else { return error.report() }
            try report("unreadable", .error, nil, message)
            return error.code
        }
        var warnings: [JSONWarning] = []
        var mistake: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            warnings = try JSONDocument(parsing: bytes, options: options).warnings
        } catch {
            mistake = error
        }
        for warning in warnings { try report(file.secrets.redacting(warning), warning.code.rawValue) }
        guard let mistake else { return .success }
        try report(file.secrets.redacting(mistake), mistake.code.rawValue)
        return .negative
    }

    private func report(_ diagnostic: some JSONDiagnostic, _ code: String) throws(Failure) {
        if usesJSON { return try report(code, diagnostic.severity, diagnostic.location, diagnostic.message) }
        Output.messages.writeLine(diagnostic.report(file: file.title))
    }

    private func report(
        _ code: String, _ severity: JSONSeverity, _ location: JSONLocation?, _ message: String
    ) throws(Failure) {
        let object = JSONLinesFormat.object([
            ("file", JSON(file.isStandardInput ? file.title : file.name)), ("severity", JSON(severity.rawValue)),
            ("code", JSON(code)),
            ("line", location.map { JSON($0.line) }), ("column", location.map { JSON($0.column) }),
            ("message", JSON(message)),
        ])
        try Output.standard.write(JSONLinesFormat.line(object) + "\n")
    }
}
