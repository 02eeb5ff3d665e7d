import LosslessJSON
import TestSupport
import Testing

/// Texts crafted to exhaust a parser: each is rejected or parsed in linear time.
@Suite struct HostileTextTests {
    private func repeated(_ unit: String, megabytes: Int) -> [UInt8] {
        Array(String(repeating: unit, count: megabytes << 20 / unit.utf8.count).utf8)
    }

    @Test(
        "A hundred thousand open brackets are rejected at the depth limit",
        arguments: ["[", "{\"\":", "[{\"a\":", "[1,"])
    func brackets(unit: String) throws {
        let error = try #require(syntaxError(in: Array(String(repeating: unit, count: 100_000).utf8)))
        #expect(error.code == .depth)
        let perUnit = unit.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        #expect(error.position.offset == 512 / perUnit * unit.utf8.count)
        #expect(error.message == "expected at most 512 nested containers, found one more")
    }

    @Test("Fifty megabytes of open brackets are rejected at the maximum depth", arguments: ["[", "{\"\":"])
    func megabytesOfBrackets(unit: String) {
        let deepest = JSONDocument.Options(depthLimit: JSONDocument.deepestNesting)
        let error = syntaxError(in: repeated(unit, megabytes: 50), deepest)
        #expect(error?.position.offset == JSONDocument.deepestNesting * unit.utf8.count)
    }

    @Test("Twenty megabytes of quotes or of an unterminated string are rejected at the location of the error")
    func quotes() {
        #expect(syntaxError(in: repeated("\"", megabytes: 20))?.position.offset == 2)
        var text = repeated("x", megabytes: 20)
        text[0] = UInt8(ascii: "\"")
        let error = syntaxError(in: text)
        #expect(error?.position.offset == 20 << 20)
        #expect(error?.hint == "the string that begins at 1:1 is not closed")
        text[text.count - 1] = UInt8(ascii: "\\")
        #expect(syntaxError(in: text)?.position.offset == 20 << 20)
        text[text.count - 1] = 0xFF
        #expect(syntaxError(in: text)?.position.offset == 20 << 20 - 1)
    }

    @Test("A megabyte of random bytes is rejected within the first thousand bytes", arguments: [1, 2, 3] as [UInt64])
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed)
        let block = (0..<4_096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let garbage = Array(repeatElement(block, count: 256).joined())
        for start in ["", "\"", "[", "{\"a\":", "// ", "/*"] {
            let error = syntaxError(in: Array(start.utf8) + garbage)
            #expect((0...1_000).contains(error?.position.offset ?? -1))
        }
    }

    @Test("An unterminated comment is reported at its beginning", arguments: ["/*", "[1, /*", "{\"a\" /*"])
    func endlessComments(start: String) {
        let error = syntaxError(in: Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "*"), count: 4 << 20))
        #expect(error?.code == .unexpectedEnd)
        #expect(error?.position.offset == start.utf8.count - 2)
    }

    @Test(
        "A hundred thousand comments, line ends or blanks around a value are skipped",
        arguments: ["/**/", "//\n", "\r\n", " ", "\t", "          "])
    func filler(unit: String) throws {
        let filler = String(repeating: unit, count: 100_000)
        let document = try JSONDocument(parsing: filler + "[" + filler + "1" + filler + "]" + filler)
        #expect(document.value == [1])
        #expect(document.location(of: "/0")?.offset == 2 * filler.utf8.count + 1)
        #expect(syntaxError(in: Array(filler.utf8))?.code == .unexpectedEnd)
    }

    @Test(
        "A text without a value is rejected after its last comment, or at its start",
        arguments: [
            ("", 0), ("\u{FEFF}", 3), (" ", 0), ("\r\n", 0), ("\u{FEFF}\n", 3), ("// a", 4), ("/**/", 4), ("//\n", 2),
        ])
    func noValue(text: String, offset: Int) {
        let error = syntaxError(in: Array(text.utf8))
        #expect(error?.code == .unexpectedEnd)
        #expect(error?.position.offset == offset)
        #expect(error?.found == "the end of the text")
    }

    @Test(
        "Numbers of any length and exponent keep their spelling",
        arguments: [
            "1e999999999", "-1E-999999999", "1e99999999999999999999999", "1e-99999999999999999999999",
            "0e99999999999999999999999", "1e" + String(repeating: "9", count: 10_000),
            String(repeating: "9", count: 10_000), "-" + String(repeating: "1", count: 10_000) + ".5e+7",
            "0." + String(repeating: "0", count: 10_000) + "1", String(repeating: "1", count: 100_000),
        ])
    func numbers(spelling: String) throws {
        let value = try JSON(parsing: "[\(spelling), \(spelling)]", dialect: .json)
        #expect(value[0]?.number?.spelling == spelling)
        #expect(value[0] == value[1])
        #expect(value[0]?.hashValue == value[1]?.hashValue)
        #expect(JSONPrinter(layout: .compact).string(value) == "[\(spelling),\(spelling)]")
        #expect(value[0]?.int == (spelling.hasPrefix("0e") ? 0 : nil))
    }

    @Test("A text of exactly the size limit is parsed, a text one byte longer is rejected")
    func sizeLimit() throws {
        let text = Array("[1, 2]".utf8)
        #expect(try JSONDocument(parsing: text, options: .init(sizeLimit: 6)).value == [1, 2])
        let error = try #require(syntaxError(in: text, .init(sizeLimit: 5)))
        #expect(error.code == .size)
        #expect(error.position.description == "1:6")
        #expect(error.message == "expected at most 5 bytes, found more")
        #expect(syntaxError(in: [0xFF, 0xFE, 0], .init(sizeLimit: 0))?.code == .size)
        #expect(syntaxError(in: [], .init(sizeLimit: 0))?.code == .unexpectedEnd)
    }

    @Test("Limits are clamped to the range that the storage supports")
    func clampedLimits() {
        var options = JSONDocument.Options(depthLimit: .max, sizeLimit: .max)
        #expect(options.depthLimit == 2_048)
        #expect(options.sizeLimit == 4_294_967_294)
        options.depthLimit = -1
        options.sizeLimit = -1
        #expect((options.depthLimit, options.sizeLimit) == (0, 0))
        options.depthLimit = 4_096
        options.sizeLimit = 1 << 40
        #expect((options.depthLimit, options.sizeLimit) == (2_048, 4_294_967_294))
        #expect((JSONDocument.Options().depthLimit, JSONDocument.Options().sizeLimit) == (512, 268_435_456))
    }
}
