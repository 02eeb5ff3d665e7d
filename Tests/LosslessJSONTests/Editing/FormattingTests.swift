import LosslessJSON
import TestSupport
import Testing

@Suite("Formatting a document") struct FormattingTests {
    struct Example: Sendable {
        let before: String
        let after: String
    }

    static let examples: [Example] = [
        Example(
            before: "{\"a\":1,\"b\":[1,2,{\"c\":[]}],\"d\":{}}",
            after: """
                {
                  "a": 1,
                  "b": [
                    1,
                    2,
                    {
                      "c": []
                    }
                  ],
                  "d": {}
                }

                """),
        Example(
            before: """
                  // top


                // more

                { // all
                "a" : 1 /* one */ , // a's


                    // b's
                "b":2,
                  }  // end
                // last
                """,
            after: """
                // top

                // more

                { // all
                  "a": 1 /* one */, // a's

                  // b's
                  "b": 2,
                } // end
                // last

                """),
        Example(
            before: "[1, /* two */ 2, 3 /* three */]",
            after: """
                [
                  1,
                  /* two */ 2,
                  3 /* three */
                ]

                """),
        Example(
            before: "{\"list\": [\n 1,\n 2,\n]}",
            after: """
                {
                  "list": [1, 2,]
                }

                """),
        Example(before: "{ /* nothing */ }", after: "{ /* nothing */\n}\n"),
        Example(before: "[\n  1 // one\n  , 2]", after: "[\n  1 // one\n  , 2\n]\n"),
        Example(before: "{\"a\": // why\n 1}", after: "{\n  \"a\": // why\n  1\n}\n"),
        Example(before: "\u{FEFF}{\r\n\"a\":1}", after: "\u{FEFF}{\r\n  \"a\": 1\r\n}\r\n"),
        Example(before: "  3  ", after: "3\n"),
    ]

    @Test("formatted lays out members, elements and comments on indented lines", arguments: examples)
    func example(example: Example) throws {
        let formatted = try JSONDocument(parsing: example.before).formatted()
        #expect(Array(formatted.text.utf8) == Array(example.after.utf8), "\(formatted.text)")
    }

    @Test("formatted changes only white space and is idempotent", arguments: SeededGenerator.seeds)
    func tokens(seed: UInt64) throws {
        for number in 0..<RandomEditTests.count / 2 {
            var texts = RandomJSON(seed: seed &* 31 &+ UInt64(number), isLenient: true, duplicatesKeys: number % 5 == 0)
            let text = texts.document()
            let formatted = try JSONDocument(parsing: text).formatted()
            let (before, after) = (ReferenceText(text), ReferenceText(formatted.bytes))
            guard before.tokens.map(before.text) == after.tokens.map(after.text),
                try formatted.formatted().bytes == formatted.bytes,
                try JSONDocument(parsing: formatted.bytes).value.description == formatted.value.description
            else {
                Issue.record(
                    "seed \(seed), text \(number):\n\(String(decoding: text, as: UTF8.self))\ngives\n\(formatted.text)")
                return
            }
        }
    }

    @Test("formatted produces the printer's output for texts without comments", arguments: SeededGenerator.seeds)
    func printed(seed: UInt64) throws {
        for number in 0..<RandomEditTests.count / 2 {
            var texts = RandomJSON(seed: seed &* 37 &+ UInt64(number))
            let value = try JSONDocument(parsing: texts.document()).value
            let printed = JSONPrinter().bytes(value)
            for text in [printed, JSONPrinter(layout: .compact).bytes(value)] {
                guard try JSONDocument(parsing: text).formatted().bytes == printed else {
                    Issue.record("seed \(seed), text \(number): \(value)")
                    return
                }
            }
        }
    }

    @Test("formatted rejects a result that exceeds the size limit") func limit() throws {
        let document = try JSONDocument(parsing: "[[1]]", options: JSONDocument.Options(sizeLimit: 9))
        #expect(#expect(throws: JSONEditError.self) { try document.formatted() }?.code == .size)
    }
}
