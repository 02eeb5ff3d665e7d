import LosslessJSON
import Testing

/// A document keeps its text unchanged.
@Suite struct DocumentTextTests {
    @Test(
        "A document keeps the bytes of its text, including a byte order mark",
        arguments: [
            "1", "\u{FEFF}1", "\r\n[1,\r 2]\n\n", "// a\n{ }", "[ \"\\u0041\", 1.0, 1e3, -0 ]", "{\"ü\": \"u\u{308}\"}",
            "/*\u{0}*/ null",
        ])
    func text(text: String) throws {
        let document = try JSONDocument(parsing: text)
        #expect(document.bytes == Array(text.utf8))
        #expect(document.text.utf8.elementsEqual(text.utf8))
        #expect(document.withBytes { Array($0) } == Array(text.utf8))
        #expect(document.hasByteOrderMark == text.unicodeScalars.starts(with: ["\u{FEFF}"]))
        #expect(try JSONDocument(parsing: Array(text.utf8)).value == document.value)
        #expect(try JSONDocument(parsing: text.utf8.span.bytes).value == document.value)
    }

    @Test("Changing the byte array after parsing does not affect the document")
    func independence() throws {
        var bytes = Array("[\"a string that is longer than fourteen bytes\"]".utf8)
        let document = try JSONDocument(parsing: bytes)
        for index in bytes.indices { bytes[index] = 0 }
        #expect(document.value == ["a string that is longer than fourteen bytes"])
    }

    @Test("A value remains valid after its document is released")
    func values() throws {
        let value = try JSON(
            parsing:
                "{\"key of more than fourteen bytes\": [\"\\u00fc and more text\", 1234567890.12345678901234567890]}")
        #expect(value["key of more than fourteen bytes"]?[0]?.string == "ü and more text")
        #expect(value["key of more than fourteen bytes"]?[1]?.number?.spelling == "1234567890.12345678901234567890")
    }

    @Test("Reparsing a mutated text gives the same value, warnings or error as a fresh parse")
    func nextVersion() throws {
        for seed in 1...150 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, duplicatesKeys: true)
            let text = random.document()
            let document = try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: .json))
            for next in [random.mutated(text), random.mutated(text), random.document()] {
                let fresh = Result { try JSONDocument(parsing: next, options: document.options) }
                let reparsed = Result { try document.reparsed(next) }
                switch (fresh, reparsed) {
                case (.success(let fresh), .success(let reparsed)):
                    #expect(reparsed.value == fresh.value, "seed \(seed)")
                    #expect(reparsed.value.description == fresh.value.description, "seed \(seed)")
                    #expect(reparsed.bytes == next)
                    #expect(reparsed.warnings == fresh.warnings)
                case (.failure(let fresh as JSONSyntaxError), .failure(let reparsed as JSONSyntaxError)):
                    #expect(reparsed == fresh)
                default: Issue.record("seed \(seed): only one of the two parses succeeded")
                }
            }
        }
    }

    @Test("Reparsing a text with a duplicate key unchanged keeps the value identical and the warnings")
    func sameText() throws {
        let document = try JSONDocument(parsing: "{\"a\": [1, {}], \"a\": 2}")
        let again = try document.reparsed("{\"a\": [1, {}], \"a\": 2}")
        #expect(again.value.isIdentical(to: document.value))
        #expect(again.warnings == document.warnings)
    }
}
