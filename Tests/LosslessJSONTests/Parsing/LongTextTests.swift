import LosslessJSON
import Testing

/// Strings, keys and numbers around 2²⁴ bytes, where their length no longer fits in a slice.
@Suite struct LongTextTests {
    private static let lengths = [0xFF_FFFE, 0xFF_FFFF, 0x100_0001]

    private func sameBytes(_ a: String?, _ b: String) -> Bool {
        guard let a else { return false }
        return a.utf8.count == b.utf8.count && a == b  // ASCII only, so equal strings have equal bytes
    }

    @Test("A string of about 16 MiB is parsed and printed", arguments: lengths)
    func strings(length: Int) throws {
        let contents = String(repeating: "s", count: length - 1) + "!"
        let document = try JSONDocument(parsing: "[\"\(contents)\", 1]")
        #expect(sameBytes(document.value[0]?.string, contents))
        #expect(document.value[1] == 1)
        #expect(document.range(of: "/0") == 1..<length + 3)
        #expect(document.value == [JSON(contents), 1])
        #expect(document.value != [JSON(contents.dropLast() + "?"), 1])
        #expect(JSONPrinter(layout: .compact).bytes(document.value).count == length + 6)
    }

    @Test("A string of about 16 MiB with an escape is parsed and printed", arguments: lengths)
    func escapedStrings(length: Int) throws {
        let plain = String(repeating: "s", count: length - 2)
        let document = try JSONDocument(parsing: "[\"\(plain)\\n\", 1]")
        #expect(sameBytes(document.value[0]?.string, plain + "\n"))
        #expect(document.value == [JSON(plain + "\n"), 1])
        #expect(JSONPrinter(layout: .compact).bytes(document.value).count == length + 6)
    }

    @Test("A key of about 16 MiB is found", arguments: lengths)
    func keys(length: Int) throws {
        let key = String(repeating: "k", count: length - 1) + "!"
        let document = try JSONDocument(parsing: "{\"\(key)\": 1, \"a\": 2}")
        #expect(document.value[key] == 1)
        #expect(document.value[key + "k"] == nil)
        #expect(document.value["a"] == 2)
        #expect(sameBytes(document.value.object?.first?.key, key))
    }

    @Test("A key of about 16 MiB with an escape is found", arguments: [0xFF_FFFF, 0x100_0000])
    func escapedKeys(length: Int) throws {
        let key = String(repeating: "k", count: length - 1)
        let document = try JSONDocument(parsing: "{\"\(key)\\/\": 1, \"\(key)/\": 2}")
        #expect(document.value[key + "/"] == 2)
        #expect(document.warnings.count == 1)
    }

    @Test("A number of about 16 MiB is parsed and printed", arguments: lengths)
    func numbers(length: Int) throws {
        let spelling = String(repeating: "7", count: length)
        let value = try JSON(parsing: "[\(spelling), 1]")
        #expect(sameBytes(value[0]?.number?.spelling, spelling))
        #expect(value[1] == 1)
        #expect(JSONPrinter(layout: .compact).bytes(value).count == length + 4)
    }

    @Test("A string of 16 MiB is kept when the text is reparsed")
    func versions() throws {
        let contents = String(repeating: "s", count: 0x100_0000)
        let first = try JSONDocument(parsing: "{\"a\": \"\(contents)\", \"b\": 1}")
        let second = try first.reparsed("{\"a\": \"\(contents)\", \"b\": 2}")
        #expect(sameBytes(second.value["a"]?.string, contents))
        #expect(second.value.difference(from: first.value).map(\.path) == ["/b"])
    }
}
