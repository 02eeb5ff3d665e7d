import LosslessJSON
import Testing

@Suite("Edit cases") struct EditCaseTests {
    @Test("Each edit case produces exactly the expected text and value", arguments: EditCase.groups.flatMap(\.cases))
    func example(example: EditCase) throws {
        for dialect in [JSONDocument.Dialect.json, .jsonc] {
            let options = JSONDocument.Options(dialect: dialect)
            // Texts with comments or trailing commas are invalid in strict JSON.
            guard let document = try? JSONDocument(parsing: example.before, options: options) else {
                #expect(dialect == .json)
                continue
            }
            let (changes, result) = try example.changes(of: document.value)
            let edited = try document.applying(changes)
            #expect(Array(edited.text.utf8) == Array(example.after.utf8), "\(edited.text)")
            #expect(edited.value == result)
            try expectAgreement(edited)
        }
    }

    @Test(
        "Applying the reverse difference to an edited case restores the original value",
        arguments: EditCase.groups.flatMap(\.cases))
    func undone(example: EditCase) throws {
        let document = try JSONDocument(parsing: example.before)
        let edited = try document.applying(try example.changes(of: document.value).changes)
        let undone = try edited.applying(document.value.difference(from: edited.value))
        #expect(undone.value == document.value)
        try expectAgreement(undone)
    }

    @Test("Titles of edit cases are unique within their group") func titles() {
        for group in EditCase.groups {
            #expect(Set(group.cases.map(\.title)).count == group.cases.count, "\(group.title)")
        }
    }
}

/// Expects that parsing the text of an edited document gives its value, including order and spelling.
func expectAgreement(_ document: JSONDocument, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let read = try JSONDocument(parsing: document.bytes, options: document.options)
    #expect(read.value == document.value, sourceLocation: sourceLocation)
    #expect(read.value.description == document.value.description, sourceLocation: sourceLocation)
    #expect(read.warnings == document.warnings, sourceLocation: sourceLocation)
}
