import Testing

@testable import LosslessJSON

@Suite("A string")
struct JSONStringTests {
    @Test(
        "A string parsed from escapes equals the plainly written string and has the same hash",
        arguments: [
            (#"\u0041"#, "A"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"),
            (#"\u0000"#, "\0"), (#"\u00e9"#, "\u{E9}"), (#"\u00E9"#, "\u{E9}"), (#"\u20ac"#, "\u{20AC}"),
            (#"\ud83d\ude00"#, "\u{1F600}"), (#"\uD83D\uDE00 beside"#, "\u{1F600} beside"), (#"\uffff"#, "\u{FFFF}"),
            (#"\udbff\udfff"#, "\u{10FFFF}"), (#"\ud800\udc00"#, "\u{10000}"), (#"\u07ff\u0800"#, "\u{7FF}\u{800}"),
            (#"a text of many letters with one \u0065scape"#, "a text of many letters with one escape"),
            (#"\u0031234567890123"#, "1234567890123"), (#"1234567890123\u0034"#, "12345678901234"),
            (#"12345678901234\u0035"#, "123456789012345"), ("", ""), ("\u{7F}", "\u{7F}"),
        ])
    func escapes(written: String, text: String) throws {
        let string = try JSON(parsing: "\"\(written)\"")
        #expect(string.string.map { Array($0.utf8) } == Array(text.utf8))
        #expect(string == JSON(text) && JSON(text) == string)
        #expect(string.hashValue == JSON(text).hashValue)
        #expect(Set([string, JSON(text)]).count == 1)
        #expect(string != JSON(text + "x") && string != JSON("x" + text))
        let again = try JSON(parsing: string.description)
        #expect(again == string)
    }

    @Test("Two escaped spellings of one string are equal but not identical")
    func otherEscapes() throws {
        let one = try JSON(parsing: #""\u00e9\u002f / and more than fourteen""#)
        let other = try JSON(parsing: #""\u00E9\/ \u002f and more than fourteen""#)
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(!one.isIdentical(to: other), "the spellings differ")
        #expect(one.isIdentical(to: try JSON(parsing: #""\u00e9\u002f / and more than fourteen""#)))
    }

    @Test("Composed and decomposed letters, and similar-looking letters, are different strings")
    func normalForms() {
        #expect(JSONString("\u{E9}") != JSONString("e\u{301}"))
        #expect(JSONString("\u{212B}") != JSONString("\u{C5}"))
        #expect(JSONString("a") != JSONString("A") && JSONString("a") != JSONString("a\0"))
    }

    @Test("Strings of every length around the inline limit keep their bytes", arguments: 0...40)
    func lengths(length: Int) throws {
        let text = String("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH".prefix(length))
        let parsed = try JSON(parsing: "  [\"\(text)\"]  ")[0]
        #expect(parsed?.string == text && JSONString(text).string == text)
        #expect(parsed == JSON(text) && parsed?.hashValue == JSON(text).hashValue)
        for index in 0..<length {
            var bytes = Array(text.utf8)
            bytes[index] ^= 0x08
            #expect(JSON(String(decoding: bytes, as: UTF8.self)) != JSON(text))
        }
    }

    @Test(
        "Strings around the maximum length of a slice keep their bytes",
        arguments: [(1 << 24) - 2, (1 << 24) - 1, 1 << 24])
    func hugeTexts(length: Int) throws {
        let text = String(repeating: "s", count: length - 1) + "e"
        let parsed = try #require(try JSON(parsing: "[\"\(text)\", 1]")[0]?.string)
        #expect(parsed.utf8.count == length && parsed == text)
        let escaped = try #require(try JSON(parsing: "[\"\(text)\\n\", 1]")[0])
        #expect(escaped == JSON(text + "\n"))
    }

    @Test("An escaped string prints as written, a string from code with the required escapes")
    func printing() throws {
        let written = #"["\u0041\/", "plain / é"]"#
        #expect(try JSON(parsing: written).description == #"["\u0041\/","plain / é"]"#)
        let plain = JSON("quote \" backslash \\ line\n tab\t \u{1} \0")
        #expect(plain.description == #""quote \" backslash \\ line\n tab\t \u0001 \u0000""#)
    }
}
