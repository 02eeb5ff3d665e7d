import LosslessJSON
import Testing

@Suite("Edited texts") struct EditCaseTests {
    @Test("look as shown", arguments: EditCase.groups.flatMap(\.cases)) func example(example: EditCase) throws {
        for dialect in [JSONDocument.Dialect.json, .jsonc] {
            let options = JSONDocument.Options(dialect: dialect)
            // Only what holds no comments and no commas at ends is JSON in the narrow sense.
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

    @Test("can be edited back to what they meant", arguments: EditCase.groups.flatMap(\.cases))
    func undone(example: EditCase) throws {
        let document = try JSONDocument(parsing: example.before)
        let edited = try document.applying(try example.changes(of: document.value).changes)
        let undone = try edited.applying(document.value.difference(from: edited.value))
        #expect(undone.value == document.value)
        try expectAgreement(undone)
    }

    @Test("are listed once each") func titles() {
        for group in EditCase.groups {
            #expect(Set(group.cases.map(\.title)).count == group.cases.count, "\(group.title)")
        }
    }
}

/// The value of an edited document is what its text says, down to order and spelling.
func expectAgreement(_ document: JSONDocument, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let read = try JSONDocument(parsing: document.bytes, options: document.options)
    #expect(read.value == document.value, sourceLocation: sourceLocation)
    #expect(read.value.description == document.value.description, sourceLocation: sourceLocation)
    #expect(read.warnings == document.warnings, sourceLocation: sourceLocation)
}
