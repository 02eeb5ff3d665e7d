import Testing

@testable import LosslessJSON

struct TextTests {
    @Test(
        "A text is compared with a string of any length by its bytes",
        arguments: [
            "", "a", "exactly 14: é", "exactly 15: é.", "a text that is much longer than what is stored inline",
        ])
    func comparison(_ string: String) {
        #expect(!string.hasPrefix("exactly") || string.hasPrefix("exactly \(string.utf8.count):"))
        let text = Text(string)
        #expect(text.isSpelled(string))
        #expect(!text.isSpelled(string + " ") && !text.isSpelled(String(string.dropLast()) + "\0"))
        #expect(!Text(string + "\u{E9}").isSpelled(string + "e\u{301}"), "equal strings have other bytes")
        #expect(text.isSpelled(String(decoding: Array(string.utf8), as: UTF8.self)))
    }

    @Test("A text with escapes, whose spelling is kept, is not what a string is encoded as") func escapes() throws {
        for string in ["A", "a text that is much longer than what is stored inline: A"] {
            let spelling = string.replacing("A", with: #"\u0041"#)
            guard case .string(let parsed) = try JSON(parsing: "\"\(spelling)\"") else {
                Issue.record("not a string")
                return
            }
            #expect(parsed.string == string && !parsed.text.isSpelled(string))
        }
    }
}
