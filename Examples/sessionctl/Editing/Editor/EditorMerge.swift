import DurableFiles
import LosslessJSON

/// Merges a text from the editor with changes that others made to the file during the edit.
///
/// Values are merged one by one. Comments and layout come from one side: the side that changed them, if the other side
/// changed only values.
struct EditorMerge {
    /// A conflict that the user must resolve.
    enum UnresolvedConflict {
        /// Values that both changed differently.
        case values([JSONConflict])
        /// Both changed comments or layout; the bytes are the text of the file. Merged values are put into the chosen
        /// text if the base is known.
        case text([UInt8], isMerged: Bool)
    }

    private let title: String
    /// The text before the edit.
    private let base: [UInt8]
    private let baseDocument: JSONDocument?
    let mine: JSONDocument
    private var values: [JSONConflict: JSONMerge.Side] = [:]
    private var texts: [[UInt8]: JSONMerge.Side] = [:]

    /// The conflict that stopped the last call of ``bytes(for:)``.
    private(set) var unresolved: UnresolvedConflict?

    init(title: String, base: [UInt8], mine: JSONDocument) {
        (self.title, self.base, self.mine) = (title, base, mine)
        baseDocument = try? JSONDocument(parsing: base, options: .acceptingBlankText)
    }

    mutating func resolve(_ conflict: JSONConflict, with side: JSONMerge.Side) { values[conflict] = side }

    /// Chooses between the user's text and the text with these bytes.
    mutating func resolve(_ text: [UInt8], with side: JSONMerge.Side) { texts[text] = side }

    /// The bytes to write; nil if a conflict is ``unresolved``. If no other program changed the file, exactly the
    /// user's text.
    mutating func bytes(for found: FoundFile) throws -> [UInt8]? {
        unresolved = nil
        let isUntouched = found.written == nil && found.contents?.bytes == base
        if found.displaced.isEmpty, isUntouched || found.contents == nil { return mine.bytes }
        let defaultText = String(decoding: base, as: UTF8.self)
        let edit = MergingEdit(title: title, defaultText: defaultText, options: .acceptingBlankText)
        let bytes = try edit.bytes(for: found) { theirs throws(Failure) in try merged(with: theirs) }
        return unresolved == nil ? bytes : nil
    }

    private mutating func merged(with theirs: JSONDocument) throws(Failure) -> JSONDocument {
        if mine.bytes == theirs.bytes { return theirs }
        guard let base = baseDocument else { return chosenText(theirs, isMerged: false) }
        var conflicts: [JSONConflict] = []
        let merge = JSON.merge(base: base.value, ours: mine.value, theirs: theirs.value) { conflict in
            if values[conflict] == nil { conflicts.append(conflict) }
            return conflict.value(of: values[conflict] ?? .ours)
        }
        if !conflicts.isEmpty {
            unresolved = .values(conflicts)
            return theirs
        }
        let text = text(over: base, theirs)
        do throws(JSONEditError) {
            return try text.applying(merge.value.difference(from: text.value))
        } catch {
            throw .systemError("\(title): \(error.description)")
        }
    }

    /// The text into which the merged values are put.
    private mutating func text(over base: JSONDocument, _ theirs: JSONDocument) -> JSONDocument {
        if theirs.differsByValues(from: base) { return mine }
        if mine.isExactly(base, with: mine.value) { return theirs }
        return chosenText(theirs, isMerged: true)
    }

    private mutating func chosenText(_ theirs: JSONDocument, isMerged: Bool) -> JSONDocument {
        if let side = texts[theirs.bytes] { return side == .ours ? mine : theirs }
        unresolved = .text(theirs.bytes, isMerged: isMerged)
        return theirs
    }
}

extension JSONDocument {
    /// Whether applying the value to the other text yields exactly this text.
    fileprivate func isExactly(_ other: JSONDocument, with value: JSON) -> Bool {
        (try? other.applying(value.difference(from: other.value)))?.bytes == bytes
    }

    /// Whether this text differs from `base` by values, and otherwise at most by white space. A text that differs only
    /// in layout, order or comments does not.
    fileprivate func differsByValues(from base: JSONDocument) -> Bool {
        if isExactly(base, with: value) { return true }
        guard value != base.value, let edited = try? base.applying(value.difference(from: base.value)) else {
            return false
        }
        guard let formatted = try? formatted().bytes else { return false }
        return (try? edited.formatted())?.bytes == formatted
    }
}
