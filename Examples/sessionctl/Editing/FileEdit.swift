import DurableFiles
import Glibc
import LosslessJSON

/// What a replacement is to write: the edit of a command, made in what it finds, and with it what others wrote that is
/// no longer in the file.
struct FileEdit {
    let title: String
    /// What a file that is missing is taken to hold, if it may be missing.
    let absent: String?

    /// Throws the syntax error of a file that is no JSON.
    func bytes(for found: FoundFile, _ body: (JSONDocument) throws(Failure) -> JSONDocument) throws -> [UInt8] {
        var document = try start(found.contents)
        for edit in found.displaced { document = try merged(edit, into: document) }
        // Others began with what it made of the file: a second time would append twice, or find nothing to remove.
        let isMade = found.confirmed != nil && found.contents != nil
        return isMade ? document.bytes : try body(document).bytes
    }

    private func start(_ contents: FileContents?) throws -> JSONDocument {
        if let contents { return try JSONDocument(parsing: contents.bytes) }
        guard let absent else { throw Failure.refused(title, errorNumber: ENOENT) }
        return try JSONDocument(parsing: absent)
    }

    /// Key by key; what both changed is as it is in the file. Where it is not known what the edit began with, what is
    /// only in it is added.
    private func merged(_ edit: DisplacedEdit, into document: JSONDocument) throws -> JSONDocument {
        if edit.bytes.isBlank { return document }
        guard let theirs = try? JSONDocument(parsing: edit.bytes).value else { throw unreadable(edit) }
        let base = edit.base.flatMap { try? JSONDocument(parsing: $0).value } ?? .null
        return try document.merging(base: base, theirs: theirs, title: title).0
    }

    /// It stays where it is: nobody but a person can tell what of it is wanted.
    private func unreadable(_ edit: DisplacedEdit) -> Failure {
        let place = edit.path.map { "; it is \($0.visible): put it right, or remove it" } ?? ""
        return .refused("\(title): another program wrote meanwhile what is no JSON\(place)")
    }
}

extension Replacement {
    /// What somebody may have to see to.
    var complaints: [String] {
        var result = leftOvers.map {
            "\($0.visible) could not be cleared away: another program has it open, or it is another user's"
        }
        if !lostAttributes.isEmpty {
            let names = lostAttributes.sorted().map(\.words).joined(separator: ", ")
            result.append("not all that belongs to the file could be kept: \(names)")
        }
        return result
    }
}

extension Replacement.Attribute {
    fileprivate var words: String {
        switch self {
        case .user: "its owner"
        case .group: "its group"
        case .permissions: "its permissions"
        case .extended(let name): "the attribute \(name.visible)"
        }
    }
}
