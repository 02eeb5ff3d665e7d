import DurableFiles
import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// A change of one value that is committed to disk, atomically among all processes that use this library.
struct CommittedEdit {
    let file: InputFile
    private let name: String
    /// Whether a missing file is created.
    private let createsFile: Bool
    /// Whether missing directories of a missing file are created.
    private let createsDirectories: Bool

    init(_ arguments: Arguments, createsFile: Bool) throws(Failure) {
        (name, self.createsFile) = (arguments.operands[0], createsFile)
        createsDirectories = arguments.has(.create)
        file = InputFile(name, hiding: try arguments.secrets)
        if createsDirectories, file.isStandardInput {
            throw .usageError("--create needs the name of a file: standard input (-) has no directory")
        }
    }

    /// Applies the change to the current value of the file and returns the result. Returns nil after reporting that the
    /// file is not valid JSON. Standard input is edited to standard output.
    func apply(_ change: @escaping @Sendable (JSON) throws -> JSON) throws(Failure) -> JSON? {
        let change = mappingErrors(change)
        if name == "-" { return try changePipe(change) }
        do {
            let session = try open()
            let changed = try session.commitBlocking { json in
                json = try change(json)
                return json
            }
            for line in session.mirror.lastSave?.warningLines ?? [] {
                Output.messages.writeLine("\(Sessionctl.name): \(file.title): \(line)")
            }
            try session.closeBlocking()
            return changed
        } catch {
            return try report(error)
        }
    }

    /// Returns the current value of the file and the changed one, and changes nothing. Returns nil after reporting that
    /// the file is not valid JSON.
    func preview(_ change: @escaping @Sendable (JSON) throws -> JSON) throws(Failure) -> (old: JSON, new: JSON)? {
        let change = mappingErrors(change)
        if name != "-" {
            if createsFile, access(name, F_OK) != 0, errno == ENOENT {
                try file.requireCreatable(createsDirectories: createsDirectories, directoryAdvice)
                return ([:], try change([:]))
            }
            try file.requireWritable()
        }
        guard let old = try file.document(.acceptingBlankText)?.value else { return nil }
        return (old, try change(old))
    }

    private func mappingErrors(
        _ change: @escaping @Sendable (JSON) throws -> JSON
    ) -> @Sendable (JSON) throws(Failure) -> JSON {
        { [title = file.title, secrets = file.secrets] json throws(Failure) in
            do {
                return try change(json)
            } catch let error as JSONEditError {
                throw error.failure(title, in: secrets.redacting(json))
            } catch {
                throw error as? Failure ?? .systemError("\(title): \(error)")
            }
        }
    }

    private var directoryAdvice: String {
        createsFile ? "create it with mkdir -p, or with the option --create" : Failure.mkdirAdvice
    }

    private func open() throws -> Session<JSON> {
        // A missing directory would be created for a name that can be no file.
        if name.isEmpty || createsDirectories && name.hasSuffix("/") {
            throw Failure.systemError(file.title, errorNumber: ENOENT)
        }
        var options = SessionOptions()
        options.watching = .off
        options.unobservedProblems = .ignore
        options.replacing = .forCommands(createsDirectories: createsDirectories)
        options.secrets = file.secrets
        let session = try Session<JSON>([:], at: name, options: options)
        if !createsFile, session.mirror.status.content == .missing {
            throw Failure.systemError(file.title, errorNumber: ENOENT)
        }
        return session
    }

    private func changePipe(_ change: (JSON) throws(Failure) -> JSON) throws(Failure) -> JSON? {
        guard let document = try file.document(.acceptingBlankText) else { return nil }
        let changed = try change(document.value)
        let text: JSONDocument
        do throws(JSONEditError) {
            text = try document.applying(changed.difference(from: document.value))
        } catch {
            throw .systemError("\(file.title): \(error)")
        }
        try Output.standard.write(text.bytes)
        return changed
    }

    /// Reports an error with a location and returns nil; throws all others.
    private func report(_ error: any Error) throws(Failure) -> JSON? {
        switch error {
        case let problem as SessionProblem where problem.location != nil:
            Output.messages.writeLine(problem.report(file: file.title))
            return nil
        case let problem as SessionProblem:
            if let cause = problem.cause {
                throw .unusable(cause, title: file.title, directoryAdvice: directoryAdvice)
            }
            throw .systemError("\(file.title): \(problem.message.visible)")
        case let failure as Failure: throw failure
        case let error as SessionError: throw .systemError("\(file.title): \(error.message.visible)")
        default: throw .systemError("\(file.title): \(error)")
        }
    }
}
