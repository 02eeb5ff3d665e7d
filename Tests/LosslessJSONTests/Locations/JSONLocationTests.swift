import LosslessJSON
import Testing

/// Lines end with LF, CR LF or CR; columns count Unicode scalars from 1.
@Suite struct JSONLocationTests {
    private func location(ofErrorIn text: String) -> JSONLocation? {
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }?.position
    }

    @Test(
        "The location of an error counts lines, and columns in Unicode scalars",
        arguments: [
            ("!", 0, "1:1"),
            ("   !", 3, "1:4"),
            ("\t\t!", 2, "1:3"),
            ("\n!", 1, "2:1"),
            ("\r!", 1, "2:1"),
            ("\r\n!", 2, "2:1"),
            ("\n\r!", 2, "3:1"),
            ("\r\r\n\n!", 4, "4:1"),
            ("[\r\n\t1,\r\n\t!", 9, "3:2"),
            ("\u{FEFF}!", 3, "1:1"),
            ("\u{FEFF} !", 4, "1:2"),
            ("\u{FEFF}\n!", 4, "2:1"),
            ("[\"ü\" !", 6, "1:6"),
            ("[\"€\" !", 7, "1:6"),
            ("[\"😀\" !", 8, "1:6"),
            ("[\"u\u{308}\" !", 7, "1:7"),
            ("[\"👩‍👩‍👧\" !", 22, "1:10"),
            ("/* ü\r\nü */ !", 13, "2:6"),
            ("// \u{2028}\u{85}\n!", 9, "2:1"),
        ])
    func errors(text: String, offset: Int, location expected: String) throws {
        let found = try #require(location(ofErrorIn: text))
        #expect(found.offset == offset)
        #expect(found.description == expected)
    }

    @Test("Locations in random texts match those of a simple reference implementation")
    func plainCount() throws {
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = RandomJSON(seed: seed, isLenient: true)
            let text = random.document()
            let document = try JSONDocument(parsing: text)
            for offset in stride(from: 0, through: text.count, by: 1 + text.count / 50)
            where offset == text.count || text[offset] & 0xC0 != 0x80 {
                let (ours, plain) = (document.location(at: offset), ReferenceLocation(of: offset, in: text))
                #expect((ours.line, ours.column) == (plain.line, plain.column), "seed \(seed), offset \(offset)")
                #expect(ours.offset == offset)
            }
        }
    }

    @Test("Locations are ordered by their position in the text")
    func order() throws {
        let document = try JSONDocument(parsing: "[1,\n2]")
        #expect(document.location(at: 1) < document.location(at: 4))
        #expect(document.location(at: 4) == document.location(of: "/1"))
    }
}
