import DurableFiles
import Glibc
import LosslessJSON
import VisibleText

/// Computes the bytes of a replacement: applies the edit of a command to the current contents, and merges displaced
/// edits of other processes.
struct MergingEdit {
    let title: String
    /// The text of a missing file; nil if the file must exist.
    let defaultText: String?
    var options = JSONDocument.Options()

    /// Throws the syntax error if the file is not valid JSON.
    func bytes(for found: FoundFile, _ body: (JSONDocument) throws(Failure) -> JSONDocument) throws -> [UInt8] {
        var document = try parse(found.contents)
        for edit in found.displaced { document = try merged(edit, into: document) }
        // Others started from the edited version: applying the edit again would append twice, or find nothing to
        // remove.
        let wasApplied = found.written != nil && found.contents != nil
        return wasApplied ? document.bytes : try body(document).bytes
    }

    private func parse(_ contents: FileContents?) throws -> JSONDocument {
        if let contents { return try JSONDocument(parsing: contents.bytes, options: options) }
        guard let defaultText else { throw Failure.systemError(title, errorNumber: ENOENT) }
        return try JSONDocument(parsing: defaultText, options: options)
    }

    /// Merges key by key; in a conflict the file wins. Without a known base, only adds members that the file lacks.
    private func merged(_ edit: DisplacedEdit, into document: JSONDocument) throws -> JSONDocument {
        guard let theirs = try? JSONDocument(parsing: edit.bytes, options: .acceptingBlankText) else {
            throw unreadable(edit)
        }
        if theirs.isBlank { return document }
        let base = edit.base.flatMap { try? JSONDocument(parsing: $0).value } ?? .null
        return try document.merging(base: base, theirs: theirs.value, title: title).0
    }

    /// The displaced file stays in place, because only a person can decide what to keep of it.
    private func unreadable(_ edit: DisplacedEdit) -> Failure {
        let place = edit.path.map { "; it was kept in \($0.visible): fix or remove that file" } ?? ""
        return .systemError("\(title): another program wrote invalid JSON during the save\(place)")
    }
}

extension Replacement {
    /// Warnings about an otherwise successful replacement.
    var warningLines: [String] {
        var result = leftovers.map {
            "\($0.visible) could not be removed: another program has it open, or it belongs to another user"
        }
        if versionsStillOpen > 0 {
            result.append(
                "another program still has the replaced version open: what it writes there is lost")
        }
        if !lostAttributes.isEmpty {
            let names = lostAttributes.sorted().map(\.title).joined(separator: ", ")
            result.append("could not be preserved: \(names)")
        }
        return result
    }
}

extension Replacement.Attribute {
    fileprivate var title: String {
        switch self {
        case .user: "its owner"
        case .group: "its group"
        case .permissions: "its permissions"
        case .extended(let name): "the attribute \(name.visible)"
        }
    }
}

extension JSONDocument {
    /// Applies the changes from `base` to `theirs` to this text, and returns the conflicts, in which this text wins.
    func merging(base: JSON, theirs: JSON, title: String) throws(Failure) -> (JSONDocument, [JSONConflict]) {
        let merge = JSON.merge(base: base, ours: value, theirs: theirs)
        do throws(JSONEditError) {
            return (try applying(merge.value.difference(from: value)), merge.conflicts)
        } catch {
            throw .systemError("\(title): \(error.description)")
        }
    }
}
