internal import LosslessJSON
internal import SessionMirror

/// The contents of an object's file: the identifier, from which a lost index is rebuilt, and the object.
///
/// An object is a member of a JSON text. Bytes follow a line of JSON with the identifier and their number.
///
/// What exceeds a limit of the parser is not saved, because it could not be loaded.
enum ObjectFile {
    case json(JSONDocument)
    case bytes(ArraySlice<UInt8>)

    static let sizeLimit = 1 << 30
    /// How many containers an object may have inside each other: the text has one more.
    static let depthLimit = JSONDocument.Options().depthLimit - 1

    /// The text of an object.
    static func text(of object: JSON, _ identifier: String) -> [UInt8] {
        JSONPrinter(layout: .lines).bytes(["identifier": .init(identifier), "object": object])
    }

    /// The contents for bytes.
    static func contents(of bytes: [UInt8], _ identifier: String) -> [UInt8] {
        let header: JSON = ["bytes": JSON(bytes.count), "identifier": .init(identifier)]
        return JSONPrinter(layout: .compact).bytes(header) + [newline] + bytes
    }

    private static let newline = UInt8(ascii: "\n")
    /// The beginning of the line before bytes, which a text does not have.
    private static let bytesPrefix = Array(#"{"bytes":"#.utf8)
    /// The line before bytes is shorter: each byte of an identifier takes six at most.
    private static let headerLimit = 6 * ObjectStore.identifierLimit + 100

    /// How many bytes say whose a file is.
    static let headLength = headerLimit

    /// Whether a file that this library has written is that of an identifier, by its first ``headLength`` bytes. False also for
    /// a text that a person has formatted.
    static func isHead(_ head: [UInt8], of identifier: String) -> Bool {
        if head.starts(with: bytesPrefix) {
            let header = head.firstIndex(of: newline).flatMap { try? JSON(parsing: Array(head[..<$0])) }
            return header?["identifier"] == .init(identifier)
        }
        let text = text(of: .null, identifier)
        return head.starts(with: text.dropLast("null\n}\n".utf8.count))
    }

    /// Splits the contents of a file; throws the problem of a damaged file.
    static func parsed(
        _ contents: [UInt8], in path: String
    ) throws(SessionProblem) -> (identifier: String, file: ObjectFile) {
        if contents.starts(with: bytesPrefix) {
            guard let end = contents.prefix(headerLimit).firstIndex(of: newline),
                let header = try? JSON(parsing: Array(contents[..<end])), let identifier = header["identifier"]?.string,
                header["bytes"]?.int == contents.count - end - 1
            else {
                throw SessionProblem(.value, in: path, "the file is damaged: its first line does not fit its bytes")
            }
            return (identifier, .bytes(contents[(end + 1)...]))
        }
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: contents, options: JSONDocument.Options(sizeLimit: sizeLimit))
        } catch {
            throw SessionProblem(
                .syntax, in: path, error.message, location: error.location, excerpt: error.excerpt)
        }
        guard let identifier = document.value["identifier"]?.string, document.value["object"] != nil else {
            throw SessionProblem(.value, in: path, "the file is damaged: it must have an identifier and an object")
        }
        return (identifier, .json(document))
    }
}
