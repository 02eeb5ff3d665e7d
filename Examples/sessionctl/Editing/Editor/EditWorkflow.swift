import DurableFiles
import Glibc
import LosslessJSON
import VisibleText

extension Command {
    static let edit = Command(
        name: "edit",
        summary: "edit a file in your editor, and save valid JSON only",
        explanation: """
            Opens a private copy of FILE in the editor named by VISUAL or EDITOR, or in vi.
            A missing FILE starts as {}, and gets the permissions that the umask leaves of
            0666. Your text is saved if it is valid JSON; otherwise the error is reported
            with its location and you can edit again. A file that is not valid JSON can be
            corrected this way.

            Changes that others make to FILE during the edit are merged value by value;
            your comments and layout are preserved. If both changed the same value, the
            command asks which one to keep.

            With --check, the text must also be accepted by CMD, a shell command that gets
            the path of a private copy as its last argument: --check 'nginx -t -c'. It is
            accepted if CMD exits with status 0; otherwise you can edit again. A text merged
            with the changes of others is checked, too, and only a checked text is saved.

            If the editor fails, or you give up, FILE is not changed and the exit status is
            1. A text that could not be saved is kept, and its path is printed.
            """,
        options: [.accepting, .redact],
        operands: [Operand(name: "FILE")],
        run: { arguments throws(Failure) in
            let file = InputFile(arguments.operands[0], hiding: try arguments.secrets)
            return try EditWorkflow(file, check: try arguments.value(of: .accepting).map(TextCheck.init)).run()
        },
        examples: """
            $ VISUAL='sed -i s/8080/9090/' sessionctl edit server.json
            $ sessionctl get server.json http.port
            9090
            $ VISUAL='sed -i s/9090/80/' \\
            >     sessionctl edit --check 'grep port' server.json
                "port": 80,
            """,
        environment: [.visual, .editor, .temporaryDirectory])
}

extension Option {
    fileprivate static let accepting = Option(
        name: "check", value: "CMD", help: "save only a text that the shell command CMD accepts")
}

/// The `edit` command: opens the editor on a copy, repeatedly if necessary, until the text is saved or given up.
struct EditWorkflow {
    private let file: InputFile
    /// Decides whether a text is saved; nil to save any valid JSON.
    let check: TextCheck?
    private let editor = Editor.preferred

    var name: String { file.name }

    /// The name of the file in messages.
    var title: String { file.title }

    static let limit = JSONDocument.Options().sizeLimit

    init(_ file: InputFile, check: TextCheck?) throws(Failure) {
        if file.isStandardInput {
            throw .usageError("standard input (-) cannot be edited; a file of that name is ./-")
        }
        (self.file, self.check) = (file, check)
    }

    /// What messages must not show.
    var secrets: JSONSecrets { file.secrets }

    func run() throws(Failure) -> ExitCode {
        let base = try initialText()
        SignalPipe.install()
        let copy = try TemporaryCopy(of: name, contents: base)
        do throws(Failure) {
            let code = try edit(copy, base)
            copy.remove()
            return code
        } catch {
            return end(copy, error)
        }
    }

    /// Reports the failure, and keeps a text that was not saved.
    private func end(_ copy: TemporaryCopy, _ failure: Failure) -> ExitCode {
        let code = failure.report()
        if let unsavedPath = copy.unsavedPath {
            Output.messages.writeLine("\(Sessionctl.name): \(title): your text is kept in \(unsavedPath.visible)")
        } else {
            copy.remove()
        }
        if case .interrupted(let number) = failure { SignalPipe.endProgram(by: number) }
        return code
    }

    private func edit(_ copy: TemporaryCopy, _ base: [UInt8]) throws(Failure) -> ExitCode {
        var base = base
        while true {
            try editor.run(on: copy.path)
            let text = try copy.read()
            if text == base {
                Output.messages.writeLine("\(title): unchanged")
                return .success
            }
            switch try save(text, base) {
            case .saved: return .success
            case .again: continue
            case .againMerged(let merged):
                try copy.replace(with: merged.bytes)
                base = merged.current ?? base
            case .givenUp: return .negative
            }
        }
    }

    private func save(_ text: [UInt8], _ base: [UInt8]) throws(Failure) -> SaveResult {
        guard let document = file.document(of: text, .acceptingBlankText) else {
            if try asksToEdit("(e)dit again") { return .again }
            Output.messages.writeLine("\(title): nothing was saved")
            return .givenUp
        }
        for warning in document.warnings { Output.messages.writeLine(secrets.redacting(warning).report(file: title)) }
        return try save(document, base)
    }

    /// Whether the user edits again instead of giving up.
    func asksToEdit(_ choice: String) throws(Failure) -> Bool {
        let prompt = Prompt(
            text: "What now? \(choice), (x) give up without saving", answers: ["e": true, "x": false],
            defaultAnswer: true)
        guard let answer = try prompt.readAnswer() else { throw noAnswer }
        return answer
    }

    var noAnswer: Failure { .systemError("\(title): no answer: nothing was saved") }
}

extension EditWorkflow {
    /// The text to edit. Throws at once if the file could not be saved later.
    private func initialText() throws(Failure) -> [UInt8] {
        guard let bytes = try existing() else {
            try file.requireCreatable()
            return Array("{}\n".utf8)
        }
        try file.requireWritable()
        // A syntax error is reported; the user may be about to correct it.
        _ = file.document(of: bytes, .acceptingBlankText)
        return bytes
    }

    private func existing() throws(Failure) -> [UInt8]? {
        do throws(FileError) {
            return try DurableFile(name).read(limit: Self.limit).bytes
        } catch {
            if case .missing = error.code { return nil }
            throw .unusable(error, title: title)
        }
    }
}
