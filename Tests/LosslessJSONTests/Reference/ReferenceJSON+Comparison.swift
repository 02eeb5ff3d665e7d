import LosslessJSON

extension ReferenceJSON {
    /// Whether the library read the same value: the same spellings, the same order, the last of duplicate keys.
    func agrees(with value: JSON) -> Bool {
        switch (self, value) {
        case (.null, .null): return true
        case (.bool(let expected), .bool(let bool)): return expected == bool
        case (.number(let expected), .number(let number)): return expected == number.spelling
        case (.string(let expected), .string(let string)): return string.string.utf8.elementsEqual(expected)
        case (.array(let expected), .array(let array)):
            return expected.count == array.count && zip(expected, array).allSatisfy { $0.agrees(with: $1) }
        case (.object(let expected), .object(let object)):
            let effective = ReferenceJSON.lastOfEachKey(expected)
            return effective.count == object.count
                && zip(effective, object).allSatisfy { member, ours in
                    ours.key.utf8.elementsEqual(member.key) && member.value.agrees(with: ours.value)
                }
        default: return false
        }
    }

    static func lastOfEachKey(_ members: [Member]) -> [Member] {
        var seen: Set<[UInt8]> = []
        return members.reversed().filter { seen.insert($0.key).inserted }.reversed()
    }
}

/// The results of the library and of the reference parser for one text.
struct ReferenceComparison {
    let reference: ReferenceJSON?
    let document: Result<JSONDocument, JSONSyntaxError>

    init(on text: [UInt8], _ dialect: JSONDocument.Dialect) {
        reference = ReferenceJSON(parsing: text, isLenient: dialect == .jsonc)
        document = Result { () throws(JSONSyntaxError) in
            try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
        }
    }

    var isAccepted: Bool { reference != nil }

    /// Whether both reject the text or both read the same value.
    var holds: Bool {
        switch (reference, document) {
        case (let reference?, .success(let document)): reference.agrees(with: document.value)
        case (nil, .failure): true
        default: false
        }
    }
}
