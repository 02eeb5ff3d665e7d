import LosslessJSON
import Testing

/// A typical syntax error and the expected diagnostic.
struct SyntaxErrorCase: Sendable, CustomTestStringConvertible {
    let text: [UInt8]
    let dialects: [JSONDocument.Dialect]
    let code: JSONSyntaxError.Code
    let offset: Int
    let location: String
    let expected: String
    let found: String
    let hint: String?

    /// An error in both dialects, unless one is given.
    init(
        _ text: String, in dialect: JSONDocument.Dialect? = nil, _ code: JSONSyntaxError.Code, _ offset: Int,
        _ location: String, _ expected: String, _ found: String, _ hint: String? = nil
    ) {
        self.init(Array(text.utf8), in: dialect, code, offset, location, expected, found, hint)
    }

    init(
        _ text: [UInt8], in dialect: JSONDocument.Dialect? = nil, _ code: JSONSyntaxError.Code, _ offset: Int,
        _ location: String, _ expected: String, _ found: String, _ hint: String? = nil
    ) {
        self.text = text
        dialects = dialect.map { [$0] } ?? [.json, .jsonc]
        (self.code, self.offset, self.location) = (code, offset, location)
        (self.expected, self.found, self.hint) = (expected, found, hint)
    }

    /// Expects exactly this error.
    func verify() {
        for dialect in dialects {
            let error = #expect(throws: JSONSyntaxError.self) {
                try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
            }
            guard let error else { continue }
            #expect(error.code == code)
            #expect(error.position.offset == offset)
            #expect(error.position.description == location)
            #expect(error.expected == expected)
            #expect(error.found == found)
            #expect(error.hint == hint)
            let statement = "expected \(expected), found \(found)" + (hint.map { "; \($0)" } ?? "")
            #expect(error.message == statement)
            #expect(error.description == "\(location): \(statement)")
        }
    }

    var testDescription: String { String(decoding: text, as: UTF8.self).debugDescription }
}

/// Returns the error in the text; nil if it is valid.
func syntaxError(in text: [UInt8], _ options: JSONDocument.Options = .init()) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
        _ = try JSONDocument(parsing: text, options: options)
        return nil
    } catch { return error }
}
