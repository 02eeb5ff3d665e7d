import LosslessJSON
import Testing

/// Nested containers, up to the limit and beyond it.
@Suite struct NestingTests {
    private func nested(_ open: String, _ levels: Int, _ inner: String, _ close: String) -> String {
        String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
    }

    @Test(
        "A text nested to the depth limit is parsed, one level more is rejected",
        arguments: [0, 1, 2, 511, 512, 2_047, 2_048])
    func limits(limit: Int) throws {
        let options = JSONDocument.Options(depthLimit: limit)
        for (open, inner, close) in [("[", "1", "]"), ("{\"a\":", "1", "}"), ("[", "", "]"), ("[1,", "[]", "]")] {
            let depth = inner == "[]" ? limit - 1 : limit
            guard depth >= 0 else { continue }
            let fitting = nested(open, depth, depth == 0 && inner.isEmpty ? "0" : inner, close)
            #expect(throws: Never.self) { try JSONDocument(parsing: fitting, options: options) }

            let error = try #require(throws: JSONSyntaxError.self) {
                try JSONDocument(parsing: nested(open, depth + 1, inner, close), options: options)
            }
            #expect(error.code == .depth)
            #expect(error.position.offset == open.utf8.count * limit)
            #expect(error.expected == "at most \(limit) nested containers")
        }
    }

    @Test("The depth limit is 512 by default and counts levels rather than containers")
    func defaultLimit() throws {
        #expect(try JSONDocument(parsing: nested("[", 512, "", "]")).value.array?.count == 1)
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: nested("[", 513, "", "]")) }
        let siblings = String(repeating: "[[]],", count: 10_000)
        #expect(try JSONDocument(parsing: "[\(siblings)]", options: .init(depthLimit: 3)).value.array?.count == 10_000)
    }

    @Test("A text with an error after a thousand members is rejected")
    func rejectedLate() {
        let members = (0..<1_000).map { "\"a key that is long enough for a slice \($0)\": [\"\\n\", {\"b\": \($0)}]" }
        let start = "{" + members.joined(separator: ",")
        for end in ["", ",", "]", ", \"a\"", ", \"a\":", ", \"a\": [[[{\"b\": \"c\"", ", \"\\u0061\": {\"\\n\": 1, x"] {
            #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: start + end) }
        }
    }
}
