import DurableFiles
import LosslessJSON

/// A JSON file that a command changes: read, edited, and written if that made a difference. Standard input goes, edited,
/// to standard output.
struct EditedFile {
    private let name: String
    private let file: InputFile

    /// How often an edit is made again because somebody else wrote meanwhile.
    private static let mostTries = 10

    init(_ name: String) { (self.name, file) = (name, InputFile(name)) }

    /// What it is called in messages.
    var title: String { file.title }

    /// Edits what the file holds. A file that is missing is taken for one that holds `absent`, if that is given.
    ///
    /// What is no JSON is left alone and reported.
    func edit(
        absent: String? = nil, _ body: (JSONDocument) throws(Failure) -> JSONDocument
    ) throws(Failure) -> ExitCode {
        if name == "-" {
            guard let document = try file.document() else { return .no }
            try Output.standard.write(try body(document).bytes)
            return .done
        }
        for _ in 0..<EditedFile.mostTries {
            let replacement = try Replacement(of: name)
            let identity = try replacement.identity()
            let isAbsent = identity == nil && absent != nil
            guard let before = isAbsent ? EditedFile.document(absent!) : try file.document() else { return .no }
            let after = try body(before)
            if !isAbsent && before.withBytes({ old in after.withBytes { old.elementsEqual($0) } }) { return .done }
            if try replacement.write(after.bytes, over: identity) { return .done }
        }
        throw .refused("\(title): somebody else writes it all the time")
    }

    private static func document(_ text: String) -> JSONDocument? { try? JSONDocument(parsing: text) }
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
