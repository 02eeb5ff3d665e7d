import DurableFiles
import LosslessJSON

/// A JSON file that a command edits in place: read, edited, and replaced if the bytes differ. Standard input is edited
/// to standard output.
struct EditedFile {
    private let name: String
    private let file: InputFile

    init(_ name: String, hiding secrets: JSONSecrets) { (self.name, file) = (name, InputFile(name, hiding: secrets)) }

    /// Its name in messages.
    var title: String { file.title }

    /// Edits the file. Calls `body` again with the new contents if another process writes the file during the edit.
    ///
    /// Reports a file that is not valid JSON, and does not change it.
    func edit(_ body: (JSONDocument) throws(Failure) -> JSONDocument) throws(Failure) -> ExitCode {
        if name == "-" {
            guard let document = try file.document() else { return .negative }
            try Output.standard.write(try body(document).bytes)
            return .success
        }
        do {
            let limit = JSONDocument.Options().sizeLimit
            let replacement = try DurableFile(name).replace(limit: limit, options: .forCommands()) { found in
                try MergingEdit(title: title, defaultText: nil).bytes(for: found, body)
            }
            for line in replacement.warningLines { Output.messages.writeLine("\(Sessionctl.name): \(title): \(line)") }
            return .success
        } catch let error as JSONSyntaxError {
            Output.messages.writeLine(file.secrets.redacting(error).report(file: title))
            return .negative
        } catch {
            throw Failure(ofReplacing: title, error)
        }
    }
}

extension Failure {
    init(ofReplacing title: String, _ error: any Error) {
        self =
            switch error {
            case let failure as Failure: failure
            case let error as FileError: .unusable(error, title: title)
            default: .systemError("\(title): \(error)")
            }
    }
}

extension JSONDocument.Options {
    /// Options of commands that change values: a file without a value counts as an empty object, as in sessions.
    static let acceptingBlankText = {
        var options = JSONDocument.Options()
        options.acceptsBlankText = true
        return options
    }()
}

extension InputFile {
    /// Reads and parses the file; nil after reporting that it is not valid JSON.
    func document(_ options: JSONDocument.Options = .init()) throws(Failure) -> JSONDocument? {
        document(of: try read(limit: options.sizeLimit), options)
    }

    /// Parses bytes that were read before; nil after reporting that they are not valid JSON.
    func document(of bytes: [UInt8], _ options: JSONDocument.Options = .init()) -> JSONDocument? {
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: bytes, options: options)
        } catch {
            Output.messages.writeLine(secrets.redacting(error).report(file: title))
            return nil
        }
    }
}
