import DurableFiles
import LosslessJSON

/// What a person made of a file, to be merged with what others made of it meanwhile.
///
/// Values are merged one by one. Of the rest of a text, comments and layout, only one side's can be taken: the side's
/// that changed it, if the other one changed nothing but values.
struct HandEdit {
    /// What the merge cannot know.
    enum Open {
        /// Values that both changed differently.
        case values([JSONConflict])
        /// Which text is to be taken, the person's or the one with these bytes. Into that the values of both are put, if
        /// it is known what they began with.
        case text([UInt8], isMerged: Bool)
    }

    private let title: String
    /// What the editor began with.
    private let base: [UInt8]
    private let baseDocument: JSONDocument?
    let mine: JSONDocument
    private var values: [JSONConflict: JSONMerge.Side] = [:]
    private var texts: [[UInt8]: JSONMerge.Side] = [:]

    /// What was not known when ``bytes(for:)`` was asked last.
    private(set) var open: Open?

    init(title: String, base: [UInt8], mine: JSONDocument) {
        (self.title, self.base, self.mine) = (title, base, mine)
        baseDocument = try? JSONDocument(parsing: base)
    }

    mutating func decide(_ conflict: JSONConflict, for side: JSONMerge.Side) { values[conflict] = side }

    /// Between the person's text and the one with these bytes.
    mutating func decide(_ text: [UInt8], for side: JSONMerge.Side) { texts[text] = side }

    /// What the file is to hold; nil when a person must be asked first what is ``open``. In a file that nobody else
    /// changed that is the person's text, byte for byte.
    mutating func bytes(for found: FoundFile) throws -> [UInt8]? {
        open = nil
        let isUntouched = found.confirmed == nil && found.contents?.bytes == base
        if found.displaced.isEmpty, isUntouched || found.contents == nil { return mine.bytes }
        let absent = String(decoding: base, as: UTF8.self)
        let bytes = try FileEdit(title: title, absent: absent).bytes(for: found) { theirs throws(Failure) in
            try merged(with: theirs)
        }
        return open == nil ? bytes : nil
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
            open = .values(conflicts)
            return theirs
        }
        let text = text(over: base, theirs)
        do throws(JSONEditError) {
            return try text.applying(merge.value.difference(from: text.value))
        } catch {
            throw .refused("\(title): \(error.description)")
        }
    }

    /// The text that the merged values are put into.
    private mutating func text(over base: JSONDocument, _ theirs: JSONDocument) -> JSONDocument {
        if theirs.differsByValues(from: base) { return mine }
        if mine.isExactly(base, with: mine.value) { return theirs }
        return chosenText(theirs, isMerged: true)
    }

    private mutating func chosenText(_ theirs: JSONDocument, isMerged: Bool) -> JSONDocument {
        if let side = texts[theirs.bytes] { return side == .ours ? mine : theirs }
        open = .text(theirs.bytes, isMerged: isMerged)
        return theirs
    }
}

extension JSONDocument {
    /// Whether putting values into another text gives this one, byte for byte.
    fileprivate func isExactly(_ other: JSONDocument, with value: JSON) -> Bool {
        (try? other.applying(value.difference(from: other.value)))?.bytes == bytes
    }

    /// Whether values are what somebody changed in `base`, who then may have laid them out as they like: that is nobody's
    /// loss. Comments are, and so is another layout or order that was all they wanted.
    fileprivate func differsByValues(from base: JSONDocument) -> Bool {
        if isExactly(base, with: value) { return true }
        guard value != base.value, let edited = try? base.applying(value.difference(from: base.value)) else {
            return false
        }
        guard let formatted = try? formatted().bytes else { return false }
        return (try? edited.formatted())?.bytes == formatted
    }
}
