import Foundation
import TestSupport
import Testing

@Suite("Messages that quote untrusted text", .enabled(if: !Sanitizer.findsRaces, "nothing here is concurrent"))
struct MessageTests {
    /// One character of each kind that a terminal or a log interprets, or that is invisible.
    static let hostile = [
        "\u{1B}[2J\u{1B}]0;title\u{7}", "a\nforged: line", "a\r\u{8}\u{7F}", "\u{9B}31m\u{85}\u{90}", "\u{0}",
        "\u{202E}gnp.exe", "\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}", "\u{2028}\u{2029}", "a\u{200B}\u{200D}\u{FEFF}b",
        "\u{E0041}\u{E007F}\u{E0100}", "\u{E000}\u{F0000}\u{10FFFD}", "\u{378}", "\u{3164}\u{115F}\u{34F}\u{FE0F}",
        "a\tb", String(repeating: "\u{301}", count: 1_700), String(repeating: "long ", count: 2_000),
        String(repeating: "\u{1B}[1m.", count: 1_000), "", "\"", "\\u001b", "~\u{1B}/\u{202E}.~2",
    ]

    private func expectHarmless(_ bytes: [UInt8]) {
        for message in Messages.all(quoting: bytes) {
            let violation = MessageRules.violation(in: message.text, lines: message.lines)
            #expect(violation == nil, "\(message.kind) quoting \(bytes.prefix(40))")
        }
    }

    @Test(
        "Messages contain no control or invisible characters from hostile text, and their length is limited",
        arguments: hostile)
    func harmless(words: String) { expectHarmless(Array(words.utf8)) }

    @Test(
        "Messages that quote invalid UTF-8 contain no control or invisible characters",
        arguments: [[0xFF, 0x1B], [0xC2], [0xED, 0xA0, 0x80], [0xE2, 0x80]])
    func noUnicode(bytes: [UInt8]) { expectHarmless(bytes) }

    @Test("Messages that quote the fuzzing corpus contain no control or invisible characters")
    func corpus() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Fuzz/Corpus").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains("terminal-escapes.txt"))
        for name in names {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            if bytes.count < 500 { expectHarmless(Array(bytes)) }
        }
    }

    @Test(
        "Messages that quote random mixtures of hostile text contain no control or invisible characters",
        arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed)
        let parts = Self.hostile.map { Array($0.unicodeScalars.prefix(3)) }
        for _ in 0..<10 {
            var words = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...6, using: &random) { words += parts.randomElement(using: &random)! }
            expectHarmless(Array(String(words).utf8))
        }
    }
}
