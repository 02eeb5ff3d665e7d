import LosslessJSON

/// Invariants of every edit of any valid text: parse, edit, parse. A failed check traps and names the failure.
package struct EditChecks {
    private let text: [UInt8]
    private let options = JSONDocument.Options()

    /// Checks edits of every kind at some locations of one text.
    package static func run(_ text: [UInt8]) {
        guard let document = try? JSONDocument(parsing: text) else { return }
        let checks = EditChecks(text: text)
        for (path, value) in document.value.everything(atMost: 8) {
            for change in changes(of: value, at: path) { checks.examine(change, of: document) }
        }
        checks.examineFormatting(of: document)
    }

    private static func changes(of value: JSON, at path: JSONPointer) -> [JSONChange] {
        var changes = [JSONChange(at: path, from: value, to: nil), JSONChange(at: path, from: value, to: "\u{0}")]
        if path.isRoot { changes.removeFirst() }
        if let array = value.array {
            changes += [0, array.count].map { JSONChange(at: path.appending($0), from: nil, to: 1) }
        }
        if let object = value.object {
            var key = "fuzz"
            while object.contains(where: { $0.key == key }) { key += "z" }
            changes.append(JSONChange(at: path.appending(key), from: nil, to: 1))
        }
        return changes
    }

    private func examine(_ change: JSONChange, of document: JSONDocument) {
        guard let edited = try? document.applying([change]), let value = try? document.value.applying([change]) else {
            fatalError("an existing value cannot be edited")
        }
        require(value == edited.value, "editing the text and editing the value have different results")
        requireAgreement(edited)
        guard let undone = try? edited.applying(document.value.difference(from: value)) else {
            fatalError("an edit cannot be undone")
        }
        require(undone.value == document.value, "undoing an edit does not restore the value")
        requireAgreement(undone)
    }

    private func requireAgreement(_ document: JSONDocument) {
        guard let read = try? JSONDocument(parsing: document.bytes) else { fatalError("an edited text is invalid") }
        require(read.value.description == document.value.description, "an edited text reads as a different value")
        require(read.warnings == document.warnings, "an edited text has different warnings")
    }

    private func examineFormatting(of document: JSONDocument) {
        guard let formatted = try? document.formatted() else { fatalError("a text cannot be formatted") }
        requireAgreement(formatted)
        require(formatted.value.description == document.value.description, "formatting changed the value")
        require((try? formatted.formatted())?.bytes == formatted.bytes, "formatting a formatted text changed it")
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        require(
            formatted.bytes.filter { !isBlank($0) } == text.filter { !isBlank($0) },
            "formatting changed more than white space")
    }
}
