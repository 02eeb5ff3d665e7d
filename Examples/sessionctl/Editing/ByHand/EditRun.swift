import DurableFiles
import Glibc
import LosslessJSON

/// The run of the command: the editor is opened on a copy, again if need be, until what the person wrote is in the file or
/// given up.
struct EditRun {
    let name: String
    private let editor = Editor.chosen

    /// What the file is called in messages.
    var title: String { name.visible }

    static let limit = JSONDocument.Options().sizeLimit

    init(_ name: String) throws(Failure) {
        if name == "-" { throw .misused("standard input (-) cannot be edited; a file of that name is ./-") }
        self.name = name
    }

    func run() throws(Failure) -> ExitCode {
        let base = try start()
        SignalBell.hang()
        let copy = try PrivateCopy(of: name, holding: base)
        do throws(Failure) {
            let code = try edit(copy, base)
            copy.remove()
            return code
        } catch {
            return end(copy, error)
        }
    }

    /// What the person wrote and did not give up stays where it is.
    private func end(_ copy: PrivateCopy, _ failure: Failure) -> ExitCode {
        let code = failure.report()
        if let remains = copy.remains {
            Output.messages.say("\(Sessionctl.name): \(title): what you wrote is kept in \(remains.visible)")
        } else {
            copy.remove()
        }
        if case .interrupted(let number) = failure { SignalBell.endProgram(by: number) }
        return code
    }

    private func edit(_ copy: PrivateCopy, _ base: [UInt8]) throws(Failure) -> ExitCode {
        while true {
            try editor.open(copy.path)
            let text = try copy.read()
            if text == base {
                Output.messages.say("\(title): unchanged")
                return .done
            }
            if let document = InputFile(name).document(of: text) {
                for warning in document.warnings { Output.messages.say(warning.report(file: title)) }
                if try save(document, base) { return .done }
            } else if try !wantsToMend() {
                Output.messages.say("\(title): nothing was saved")
                return .no
            }
        }
    }

    private func wantsToMend() throws(Failure) -> Bool {
        let question = Question(
            text: "What now? (e)dit again, (x) give up without saving", answers: ["e": true, "x": false], preset: true)
        guard let answer = try question.ask() else { throw unanswered }
        return answer
    }

    var unanswered: Failure { .refused("\(title): nobody answers: nothing was saved") }
}

extension EditRun {
    /// What the editor begins with. What could not be saved afterwards is refused now.
    private func start() throws(Failure) -> [UInt8] {
        guard let bytes = try existing() else {
            let slash = name.lastIndex(of: "/")
            if name.isEmpty || slash == name.index(before: name.endIndex) {
                throw .refused(title, errorNumber: ENOENT)
            }
            try require(W_OK | X_OK, slash.map { String(name[...$0]) } ?? ".")
            return Array("{}\n".utf8)
        }
        try require(W_OK, name)
        // That it is no JSON is said, and is what it may be edited for.
        _ = InputFile(name).document(of: bytes)
        return bytes
    }

    private func existing() throws(Failure) -> [UInt8]? {
        do throws(FileError) {
            return try DurableFile(name).read(limit: Self.limit).bytes
        } catch {
            if case .missing = error.code { return nil }
            throw .unusable(error)
        }
    }

    private func require(_ right: Int32, _ path: String) throws(Failure) {
        if access(path, right) != 0 { throw .refused(title, errorNumber: errno) }
    }
}
