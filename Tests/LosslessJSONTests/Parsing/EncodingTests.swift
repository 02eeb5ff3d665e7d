import LosslessJSON
import Testing

/// Texts in other encodings, and bytes that are invalid in UTF-8.
@Suite struct EncodingTests {
    /// One example for each rule of Unicode's table of well-formed byte sequences.
    private static let malformed: [[UInt8]] = [
        [0x80], [0xBF],  // continuations alone
        [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF],  // longer than needed
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],  // surrogates
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],  // above U+10FFFF
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98],  // cut short
        [0xC3, 0xC3], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x9F, 0x28, 0x80],
    ]

    @Test("Bytes that are malformed in UTF-8 are rejected at every position of a text", arguments: malformed)
    func everyPosition(bytes: [UInt8]) {
        for (sample, dialect) in [(SampleTexts.json, JSONDocument.Dialect.json), (SampleTexts.jsonc, .jsonc)] {
            for position in 0...sample.count {
                var text = sample
                text.insert(contentsOf: bytes, at: position)
                let isBoundary = position == sample.count || sample[position] & 0xC0 != 0x80
                let error = syntaxError(in: text, .init(dialect: dialect))
                #expect(error != nil, "at \(position)")
                guard let error, isBoundary, position > 3 else { continue }
                // In the middle of a token, the token is reported.
                #expect(error.position.offset <= position)
                if error.position.offset == position { #expect(error.code == .encoding, "at \(position)") }
            }
        }
    }

    @Test("Malformed bytes in strings, keys and comments are encoding errors at their first byte", arguments: malformed)
    func places(bytes: [UInt8]) {
        for (before, after) in [
            ("[\"", "\"]"), ("[\"123456789", "\"]"), ("{\"", "\":1}"), ("[\"ü", "ü\"]"), ("[\"\\n", ""),
        ] {
            let error = syntaxError(in: Array(before.utf8) + bytes + Array(after.utf8), .init(dialect: .json))
            #expect(error?.code == .encoding)
            #expect(error?.expected == "UTF-8")
            #expect(error?.position.offset == before.utf8.count)
            #expect(error?.hint == "save the text as UTF-8")
        }
        for (before, after) in [("/*", "*/ 1"), ("//", "\n1"), ("[1 /* ü", ""), ("[1, // ", "")] {
            let error = syntaxError(in: Array(before.utf8) + bytes + Array(after.utf8), .init(dialect: .jsonc))
            #expect(error?.code == .encoding)
            #expect(error?.position.offset == before.utf8.count)
        }
    }

    @Test("Scalars at the limits of each UTF-8 length are accepted")
    func wellFormed() throws {
        for value in [
            0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000,
            0xFFFFF, 0x100000, 0x10FFFF,
        ] as [UInt32] {
            let scalar = String(try #require(Unicode.Scalar(value)))
            for padding in 0..<9 {
                let string = String(repeating: "x", count: padding) + scalar + scalar + "y"
                #expect(try JSON(parsing: "[\"\(string)\"]")[0]?.string == string)
                #expect(try JSON(parsing: "/*\(string)*/1//\(string)") == 1)
            }
        }
    }

    @Test(
        "Texts in UTF-16, UTF-32 and Latin-1 are distinguished from other invalid texts",
        arguments: [
            SyntaxErrorCase([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], .encoding, 0, "1:1", "a value", "the byte 0xFF", utf16),
            SyntaxErrorCase([0xFE, 0xFF, 0, 0x7B, 0, 0x7D], .encoding, 0, "1:1", "a value", "the byte 0xFE", utf16),
            SyntaxErrorCase(
                [0x7B, 0, 0x7D, 0], .encoding, 1, "1:2", "a key in double quotes", "a control character, U+0000", utf16),
            SyntaxErrorCase([0, 0x7B, 0, 0x7D], .encoding, 0, "1:1", "a value", "a control character, U+0000", utf16),
            SyntaxErrorCase(
                [0x31, 0, 0, 0, 0x32, 0, 0, 0], .encoding, 1, "1:2", "nothing more after the value",
                "a control character, U+0000", utf16),
            SyntaxErrorCase([0, 0, 0, 0x31], .encoding, 0, "1:1", "a value", "a control character, U+0000", utf16),
            SyntaxErrorCase(
                Array("/*\0\0".utf8), in: .jsonc, .unexpectedEnd, 0, "1:1", "\"*/\" at the end of the comment",
                "the end of the text"),
            SyntaxErrorCase([0, 0, 0, 0], .unexpected, 0, "1:1", "a value", "a control character, U+0000"),
            SyntaxErrorCase(
                [0x5B, 0x22, 0x66, 0xFC, 0x72, 0x22, 0x5D], .encoding, 3, "1:4", "UTF-8", "the byte 0xFC",
                "save the text as UTF-8"),
            SyntaxErrorCase(
                [0x5B, 0x93, 0x78, 0x94, 0x5D], .encoding, 1, "1:2", "a value", "the byte 0x93",
                "save the text as UTF-8"),
        ])
    func otherEncodings(_ mistake: SyntaxErrorCase) { mistake.verify() }

    private static let utf16 = "the text looks like UTF-16 or UTF-32; save it as UTF-8"

    @Test("A zero byte is rejected at every position of strict JSON")
    func zeros() {
        for (sample, dialect) in [(SampleTexts.json, JSONDocument.Dialect.json), (SampleTexts.jsonc, .jsonc)] {
            for position in 0...sample.count {
                var text = sample
                text.insert(0, at: position)
                #expect(ReferenceComparison(on: text, dialect).holds, "at \(position)")
                if dialect == .json { #expect(syntaxError(in: text, .init(dialect: dialect)) != nil, "at \(position)") }
            }
        }
    }
}
