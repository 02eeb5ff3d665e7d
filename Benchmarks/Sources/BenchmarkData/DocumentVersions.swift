package import LosslessJSON

/// A document and later versions of it.
package struct DocumentVersions {
    package let base: JSONDocument
    /// The text with one digit changed in a number in its middle.
    package let changedText: [UInt8]

    package init(_ size: Documents.Size) {
        let text = Documents.bytes(.mixed, size)
        base = try! JSONDocument(parsing: text)
        changedText = DocumentVersions.withOneDigitChanged(text)
    }

    /// The next version, sharing unchanged parts with the base.
    package var reparsed: JSONDocument { try! base.reparsed(changedText) }

    /// The next version, sharing nothing with the base.
    package var fresh: JSONDocument { try! JSONDocument(parsing: changedText) }

    private static func withOneDigitChanged(_ text: [UInt8]) -> [UInt8] {
        let label = Array("\"visits\": ".utf8)
        var changed = text
        for index in text.count / 2..<text.count - label.count where text[index...].starts(with: label) {
            changed[index + label.count] ^= 1  // 2 and 3, 4 and 5 …
            return changed
        }
        preconditionFailure("a mixed document has visits in its second half")
    }
}

extension JSON {
    /// The same structure with every scalar changed.
    package var withEveryScalarChanged: JSON {
        switch self {
        case .null: false
        case .bool(let value): JSON(!value)
        case .number(let number): JSON("\(number)")
        case .string(let string): JSON(string.string + "!")
        case .array(let array): .array(JSONArray(array.map(\.withEveryScalarChanged)))
        case .object(let object): .object(JSONObject(object.map { ($0.key, $0.value.withEveryScalarChanged) }))
        }
    }
}
