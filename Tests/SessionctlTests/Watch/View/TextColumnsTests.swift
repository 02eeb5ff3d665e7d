import LosslessJSON
import Testing

@testable import sessionctl

@Suite("Text in columns of a terminal") struct TextColumnsTests {
    init() throws { _ = try ViewFixture([:]) }

    private static let samples = [
        "", "a", "plain text", "東京 Tokyo", "e\u{301}te\u{301}", "a😀b", "\u{301}x", "日本語日本語", "한글 e\u{301}",
    ]

    @Test("Wide characters take two columns and combining marks none") func widths() {
        #expect(Self.samples.map(\.columns) == [0, 1, 10, 10, 3, 4, 1, 12, 6])
    }

    @Test("A fitted text has exactly the columns, and an ellipsis if something is missing", arguments: samples)
    func fitting(text: String) {
        for width in 0...20 {
            let fitted = text.fitted(to: width)
            #expect(fitted.columns == width)
            #expect(fitted.contains("…") == (text.columns > width && width > 0))
            #expect(text.shortened(to: width).columns <= width)
        }
    }

    @Test("A mark is never separated from its letter, and half of a wide character is a space") func cutting() {
        #expect("e\u{301}te\u{301}".prefix(columns: 1) == "e\u{301}")
        #expect("e\u{301}te\u{301}".prefix(columns: 2) == "e\u{301}t")
        #expect("東京".prefix(columns: 3) == "東")
        #expect("東京".dropping(columns: 1) == " 京")
        #expect("東京".dropping(columns: 2) == "京")
        #expect("ab".dropping(columns: 5) == "")
    }

    @Test("Lines break at spaces, and words only if a line would be short") func wrapping() {
        #expect("one two three".wrapped(to: 8) == ["one two", "three"])
        #expect("one two".wrapped(to: 7) == ["one two"])
        #expect("a verylongword".wrapped(to: 6) == ["a very", "longwo", "rd"])
        #expect("東京東京".wrapped(to: 5) == ["東京", "東京"])
        #expect("東".wrapped(to: 1) == ["東"])
        #expect("abc".wrapped(to: 0) == ["abc"])
    }

    @Test("Characters that a terminal might interpret are replaced") func hostile() {
        #expect("a\u{1B}[31mb\u{202E}\u{9B}c\u{200B}".measurable == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}c\u{FFFD}")
        #expect("a\tb".measurable == "a b")
    }

    @Test("Every character that is shown has a width") func everyCharacter() {
        for value in (0 as UInt32)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar).measurable
            if !(0...2).contains(text.columns) || text.unicodeScalars.count != 1 {
                Issue.record("U+\(String(value, radix: 16)) has \(text.columns) columns")
            }
        }
    }
}
