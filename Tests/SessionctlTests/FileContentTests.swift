import Glibc
import TestSupport
import Testing

@Suite("Unusual file contents")
struct FileContentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "check --strict accepts a byte order mark, CR LF, a missing final newline, and 512 levels",
        arguments: [
            ("no final newline", Array("{\"a\": [1]}".utf8)),
            ("a byte-order mark", [0xEF, 0xBB, 0xBF] + Array("{}\n".utf8)),
            ("CRLF", Array("{\r\n\"a\": 1\r\n}\r\n".utf8)),
            ("512 levels", Array((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)),
        ])
    func accepted(name: String, bytes: [UInt8]) throws {
        try folder.write("odd.json", bytes)
        #expect(try folder.sessionctl("check", "--strict", "odd.json") == Program.Result(code: 0))
    }

    @Test(
        "check and get report an invalid file with its location",
        arguments: [
            ("empty", [], "1:1"),
            ("only a byte-order mark", [0xEF, 0xBB, 0xBF], "1:1"),
            ("only spaces", Array(" \n\n ".utf8), "1:1"),
            ("NUL alone", [0], "1:1"),
            ("NUL in a string", Array("[\"a\0b\"]".utf8), "1:4"),
            ("NUL after the value", Array("[1]\n\0".utf8), "2:1"),
            ("an invalid UTF-8 byte", Array("[\"".utf8) + [0xFF] + Array("\"]".utf8), "1:3"),
            ("truncated UTF-8", Array("\"a".utf8) + [0xE2, 0x82], "1:3"),
            ("unterminated containers", Array("{\"a\": [1,\n2".utf8), "2:2"),
            ("513 levels", [UInt8](repeating: UInt8(ascii: "["), count: 513), "1:513"),
        ])
    func rejected(name: String, bytes: [UInt8], location: String) throws {
        try folder.write("odd.json", bytes)
        try expectError(at: location)
    }

    @Test("A text nested five million levels deep is reported at the depth limit")
    func deep() throws {
        try folder.write("odd.json", [UInt8](repeating: UInt8(ascii: "["), count: 5_000_000))
        try expectError(at: "1:513")
    }

    private func expectError(at location: String) throws {
        for command in [["check"], ["check", "--strict"], ["get"]] {
            let result = try Program.sessionctl.run(command + ["odd.json"], in: folder)
            #expect(result.code == 1)
            #expect(result.output == "")
            #expect(result.messages.hasPrefix("odd.json:\(location): error: "))
            #expect(result.messages.hasSuffix("^\n"))
            #expect(result.messages.split(separator: "\n", omittingEmptySubsequences: false).count == 4)
            #expect(result.messages.utf8.count < 1_000)
        }
    }

    @Test("A file larger than the size limit is rejected without being read")
    func tooLarge() throws {
        try folder.write("large.json", "[1]")
        // A sparse file, which takes no disk space.
        try #require(truncate(folder.path(of: "large.json"), 40 << 30) == 0)
        let result = try folder.sessionctl("check", "large.json")
        let reason = "Too large: 42949672960 bytes, and at most 268435456 are allowed"
        #expect(result == Program.Result(code: 1, messages: "sessionctl: large.json: \(reason)\n"))
    }

    @Test("Control characters and direction marks are replaced in messages")
    func terminal() throws {
        let clear = "\u{1B}[2J"
        try folder.write("a.json", "[1, \"\(clear)\u{202E}\"]")
        try folder.write("b.json", "{\"\u{9B}31m\u{202E}\": 1, \"\u{9B}31m\u{202E}\": 2}")
        try folder.write("c\(clear)\n.json", "[")
        let results = [
            try folder.sessionctl("check", "a.json"),
            try folder.sessionctl("check", "b.json"),
            try folder.sessionctl("check", "c\(clear)\n.json"),
            try folder.sessionctl("check", "missing\(clear)"),
            try folder.sessionctl("check", "--\(clear)"),
            try folder.sessionctl(clear),
            try folder.sessionctl("get", "b.json", "\u{9B}31m"),
            try folder.sessionctl("get", "b.json", "a..\(clear)"),
            try folder.sessionctl("keys", "b.json", "a", clear),
        ]
        #expect(results.map(\.code) == [1, 0, 1, 3, 2, 2, 1, 2, 2])
        for result in results {
            #expect(!result.messages.isEmpty)
            let scalars = result.messages.unicodeScalars.filter { $0 != "\n" }
            #expect(!scalars.contains { [.control, .format].contains($0.properties.generalCategory) })
        }
        #expect(results[2].messages.hasPrefix("c\u{FFFD}[2J\u{FFFD}.json:1:2: error: "))
    }
}
