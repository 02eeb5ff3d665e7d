import Testing

@testable import LosslessJSON

@Suite("Spellings of numbers")
struct JSONNumberSpellingTests {
    /// A direct implementation of the grammar of RFC 8259.
    static func isNumber(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        func take(_ choices: String) -> Bool {
            guard let next = rest.first, choices.utf8.contains(next) else { return false }
            rest.removeFirst()
            return true
        }
        func digits() -> Bool {
            guard take("0123456789") else { return false }
            while take("0123456789") {}
            return true
        }
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take(".") && !digits() { return false }
        if take("eE") {
            _ = take("+-")
            guard digits() else { return false }
        }
        return rest.isEmpty
    }

    @Test(
        "A short text is accepted as a number exactly if it conforms to RFC 8259",
        arguments: ["-+.07eE", "-.0 1e"])
    func everyText(letters: String) {
        var texts = [""]
        for length in 0...5 {
            if length > 0 { texts = texts.flatMap { text in letters.map { text + String($0) } } }
            for text in texts where length < 5 || couldBeNumber(text) {
                let number = JSONNumber(spelling: text)
                if (number != nil) != JSONNumberSpellingTests.isNumber(text)
                    || number.map({ $0.spelling != text }) == true
                {
                    Issue.record("\"\(text)\" as \(String(describing: number))")
                }
            }
        }
    }

    /// A filter for the longest texts, of which there are too many to test all.
    private func couldBeNumber(_ text: String) -> Bool { "-07 ".contains(text.first!) && text.contains("0") }

    @Test(
        "Surrounding characters and malformed numbers are rejected as a number spelling",
        arguments: [
            "", " 1", "1 ", "\t1", "1\n", "\r1", "\u{FEFF}1", "1\0", "\u{663}", "\u{FF11}", "1//", "/**/1", "1/**/",
            "[1]",
            "1,", "\"1\"", "true", "null", "NaN", "Infinity", "-Infinity", "0x10", "1_000", "1,000", ".5", "5.", "+1",
            "01",
            "-01", "--1", "1e", "1e+", "1e1.5", "1 2", "½", "1\u{301}",
        ])
    func others(text: String) {
        #expect(JSONNumber(spelling: text) == nil)
    }

    @Test(
        "A number of up to ten thousand digits keeps its spelling byte for byte",
        arguments: [1, 13, 14, 15, 16, 17, 100, 10_000])
    func lengths(length: Int) throws {
        for spelling in [String(repeating: "7", count: length), "0." + String(repeating: "0", count: length) + "E+007"]
        {
            let number = try #require(JSONNumber(spelling: spelling))
            #expect(number.spelling == spelling && number.description == spelling)
            #expect(try JSON(parsing: "[\(spelling)]").description == "[\(spelling)]")
        }
    }

    @Test("A number of 16 MiB keeps all its digits")
    func hugeNumbers() throws {
        let spelling = String(repeating: "7", count: 1 << 24)
        let number = try #require(JSONNumber(spelling: spelling))
        #expect(number.spelling.utf8.count == 1 << 24)
    }
}
