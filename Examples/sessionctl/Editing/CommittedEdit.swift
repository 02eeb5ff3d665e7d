import DurableFiles
import Glibc
import LosslessJSON
import SessionMirror

/// A change of one value that a command makes through to the disk, in one step among all who use this library.
struct CommittedEdit {
    private let file: InputFile
    private let name: String
    /// Whether a file that is missing is begun.
    private let begins: Bool

    init(_ name: String, begins: Bool) {
        (self.name, self.begins) = (name, begins)
        file = InputFile(name)
    }

    /// Makes the change, in what the file says by then, and gives what that became; nil when the file is no JSON, which has
    /// been reported. Standard input goes, changed, to standard output.
    func make(_ change: @escaping @Sendable (JSON) throws -> JSON) throws(Failure) -> JSON? {
        let change = worded(change)
        if name == "-" { return try changePipe(change) }
        do {
            let session = try open()
            let changed = try session.commitBlocking { json in
                json = try change(json)
                return json
            }
            for line in session.mirror.lastSave?.complaints ?? [] {
                Output.messages.say("\(Sessionctl.name): \(file.title): \(line)")
            }
            try session.close()
            return changed
        } catch {
            return try report(error)
        }
    }

    private func worded(
        _ change: @escaping @Sendable (JSON) throws -> JSON
    ) -> @Sendable (JSON) throws(Failure) -> JSON {
        { [title = file.title] json throws(Failure) in
            do {
                return try change(json)
            } catch let error as JSONEditError {
                throw error.failure(title, in: json)
            } catch {
                throw error as? Failure ?? .refused("\(title): \(error)")
            }
        }
    }

    private func open() throws -> Session<JSON> {
        if name.isEmpty { throw Failure.refused(file.title, errorNumber: ENOENT) }
        var options = SessionOptions()
        options.isWatching = false
        let session = try Session<JSON>([:], at: name, options: options)
        if !begins, session.mirror.status.content == .missing { throw Failure.refused(file.title, errorNumber: ENOENT) }
        return session
    }

    private func changePipe(_ change: (JSON) throws(Failure) -> JSON) throws(Failure) -> JSON? {
        guard let document = try file.document() else { return nil }
        let changed = try change(document.value)
        let text: JSONDocument
        do throws(JSONEditError) {
            text = try document.applying(changed.difference(from: document.value))
        } catch {
            throw .refused("\(file.title): \(error)")
        }
        try Output.standard.write(text.bytes)
        return changed
    }

    /// Nil for what is an answer, and has been shown; everything else is thrown.
    private func report(_ error: any Error) throws(Failure) -> JSON? {
        switch error {
        case let problem as Problem where problem.location != nil:
            Output.messages.say(problem.report(file: file.title))
            return nil
        case let problem as Problem:
            if let cause = problem.cause { throw .unusable(cause, title: file.title) }
            throw .refused("\(file.title): \(problem.message.visible)")
        case let failure as Failure: throw failure
        case let error as SessionError: throw .refused("\(file.title): \(error.message.visible)")
        default: throw .refused("\(file.title): \(error)")
        }
    }
}
