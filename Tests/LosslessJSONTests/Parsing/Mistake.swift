import LosslessJSON
import Testing

/// A mistake that people make, and what they are to be told.
struct Mistake: Sendable, CustomTestStringConvertible {
    let text: [UInt8]
    let dialects: [JSONDocument.Dialect]
    let code: JSONSyntaxError.Code
    let offset: Int
    let place: String
    let expected: String
    let found: String
    let hint: String?

    /// A mistake in both dialects, unless only one is given.
    init(
        _ text: String, in dialect: JSONDocument.Dialect? = nil, _ code: JSONSyntaxError.Code, _ offset: Int,
        _ place: String, _ expected: String, _ found: String, _ hint: String? = nil
    ) {
        self.init(Array(text.utf8), in: dialect, code, offset, place, expected, found, hint)
    }

    init(
        _ text: [UInt8], in dialect: JSONDocument.Dialect? = nil, _ code: JSONSyntaxError.Code, _ offset: Int,
        _ place: String, _ expected: String, _ found: String, _ hint: String? = nil
    ) {
        self.text = text
        dialects = dialect.map { [$0] } ?? [.json, .jsonc]
        (self.code, self.offset, self.place) = (code, offset, place)
        (self.expected, self.found, self.hint) = (expected, found, hint)
    }

    /// Expects the parser to say exactly this.
    func verify() {
        for dialect in dialects {
            let error = #expect(throws: JSONSyntaxError.self) {
                try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
            }
            guard let error else { continue }
            #expect(error.code == code)
            #expect(error.position.offset == offset)
            #expect(error.position.description == place)
            #expect(error.expected == expected)
            #expect(error.found == found)
            #expect(error.hint == hint)
            let statement = "expected \(expected), found \(found)" + (hint.map { "; \($0)" } ?? "")
            #expect(error.message == statement)
            #expect(error.description == "\(place): \(statement)")
        }
    }

    var testDescription: String { String(decoding: text, as: UTF8.self).debugDescription }
}
