import DurableFiles
import LosslessJSON

/// A JSON file that a command changes: read, edited, and replaced if that made a difference. Standard input goes,
/// edited, to standard output.
struct EditedFile {
    private let name: String
    private let file: InputFile

    init(_ name: String) { (self.name, file) = (name, InputFile(name)) }

    /// What it is called in messages.
    var title: String { file.title }

    /// Edits what the file holds; again, with what is there then, when others write meanwhile.
    ///
    /// What is no JSON is left alone and reported.
    func edit(_ body: (JSONDocument) throws(Failure) -> JSONDocument) throws(Failure) -> ExitCode {
        if name == "-" {
            guard let document = try file.document() else { return .no }
            try Output.standard.write(try body(document).bytes)
            return .done
        }
        do {
            let replacement = try DurableFile(name).replace(limit: JSONDocument.Options().sizeLimit) { found in
                try FileEdit(title: title, absent: nil).bytes(for: found, body)
            }
            for line in replacement.complaints { Output.messages.say("\(Sessionctl.name): \(title): \(line)") }
            return .done
        } catch let error as JSONSyntaxError {
            Output.messages.say(error.report(file: title))
            return .no
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
            case let error as FileError: .unusable(error)
            default: .refused("\(title): \(error)")
            }
    }
}

extension InputFile {
    /// The text and its value; nil when it is no JSON, which has been reported.
    func document() throws(Failure) -> JSONDocument? {
        document(of: try read(limit: JSONDocument.Options().sizeLimit))
    }

    /// The same for bytes that were read before.
    func document(of bytes: [UInt8]) -> JSONDocument? {
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: bytes)
        } catch {
            Output.messages.say(error.report(file: title))
            return nil
        }
    }
}
