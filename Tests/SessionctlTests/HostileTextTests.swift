import Foundation
import TestSupport
import Testing

/// Runs each command with keys, values and names that contain terminal control sequences.
@Suite("Hostile keys, values and file names") struct HostileTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let hostile = [
        "\u{1B}[2J\u{1B}]0;title\u{7}", "a\nforged: line", "\u{9B}31m\u{85}", "\u{202E}gnp.exe\u{2066}\u{200E}\u{61C}",
        "\u{2028}\u{2029}", "a\u{200B}\u{FEFF}\u{E0041}\u{FE0F}", "\u{7F}\u{8}\r",
        String(repeating: "\u{1B}long", count: 5_000),
    ]

    private func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private func isHarmless(_ text: String, lines: Int) -> Bool {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
        return parts.count <= lines + 1
            && parts.allSatisfy { line in
                line.unicodeScalars.count < 3_000
                    && !line.unicodeScalars.contains {
                        let properties = $0.properties
                        return [.control, .format, .lineSeparator, .paragraphSeparator].contains(
                            properties.generalCategory)
                            || properties.isDefaultIgnorableCodePoint
                    }
            }
    }

    private func expectHarmless(
        _ arguments: [String], lines: Int, code: Int32, at location: SourceLocation = #_sourceLocation
    ) throws {
        let result = try Program.sessionctl.run(arguments, in: folder)
        #expect(result.code == code, sourceLocation: location)
        #expect(isHarmless(result.output, lines: lines), "\(arguments)", sourceLocation: location)
        #expect(isHarmless(result.messages, lines: lines), "\(arguments)", sourceLocation: location)
    }

    @Test("Messages about hostile keys and values contain no control characters and stay short", arguments: hostile)
    func commands(words: String) throws {
        let (key, pointer) = (try json(words), "/" + words.replacing("~", with: "~0").replacing("/", with: "~1"))
        try folder.write("a.json", "{\(key): \(key), \"a\": 1}")
        try folder.write("b.json", "{\(key): [\(key), {\(key): \(key)}], \"a\": 2, \"b\": \(key)}")
        try folder.write("c.json", "{\(key): [], \"a\": {\(key): 2}}")
        try folder.write("twice.json", "{\(key): 1,\n\(key): 2}")
        try expectHarmless(["check", "twice.json"], lines: 3, code: 0)
        try expectHarmless(["diff", "a.json", "b.json"], lines: 3, code: 1)
        try expectHarmless(["merge", "a.json", "b.json", "c.json"], lines: 3, code: 1)
        try expectHarmless(["get", "a.json", pointer + "/none"], lines: 1, code: 1)
        try expectHarmless(["get", "a.json", "/none" + pointer], lines: 1, code: 1)
        try expectHarmless(["get", "a.json", "/~" + words], lines: 3, code: 2)
        try expectHarmless(["set", "a.json", pointer + "/x/y", "1"], lines: 1, code: 1)
        try expectHarmless(["set", "a.json", "a", words], lines: 3, code: 2)
        try expectHarmless(["unset", "a.json", pointer + "/x"], lines: 1, code: 1)
        try expectHarmless(["add", "a.json", pointer, "1"], lines: 1, code: 1)
        try expectHarmless(["add", "a.json", "a", words], lines: 3, code: 2)
        try expectHarmless(["format", "--check", "b.json"], lines: 1, code: 1)
        try expectHarmless([words], lines: 4, code: 2)
        try expectHarmless(["get", "--" + words], lines: 4, code: 2)
        try expectHarmless(["watch", "a.json", "--count", words], lines: 4, code: 2)
        try expectHarmless(["watch", "a.json", "--timeout", words], lines: 4, code: 2)
        try expectHarmless(["watch", "a.json", "--until", words], lines: 4, code: 2)
        try expectHarmless(["watch", "a.json", "--timeout", "0", "--until", "\(pointer)=1"], lines: 2, code: 1)
    }

    @Test(
        "Messages about hostile file names contain no control characters and stay short", arguments: hostile.dropLast())
    func names(words: String) throws {
        for name in [words + "/none.json", "none" + words] {
            for command in ["check", "get", "format"] { try expectHarmless([command, name], lines: 1, code: 3) }
            try expectHarmless(["unset", name, "a"], lines: 1, code: 3)
        }
        try folder.write(words + ".json", "[")
        try expectHarmless(["check", words + ".json"], lines: 3, code: 1)
        try expectHarmless(["set", words + ".json", "a", "1"], lines: 3, code: 1)
        try expectHarmless(["watch", words + ".json", "--timeout", "0"], lines: 4, code: 1)
    }

    @Test("diff --json escapes hostile characters and preserves the text", arguments: hostile)
    func lines(words: String) throws {
        try folder.write("a.json", "{}")
        try folder.write("b.json", "{\(try json(words)): \(try json(words))}")
        let result = try folder.sessionctl("diff", "--json", "a.json", "b.json")
        let parts = result.output.unicodeScalars.split(separator: "\n")
        #expect(
            parts.count == 1 && !parts[0].contains { $0.properties.isDefaultIgnorableCodePoint || $0.value == 0x2028 })
        let line = try JSONDecoder().decode([String: Either].self, from: Data(result.output.utf8))
        #expect(line["new"]?.text?.unicodeScalars.elementsEqual(words.unicodeScalars) == true)
    }

    private struct Either: Decodable {
        let text: String?
        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    @Test("get prints strings unescaped into a pipe and escaped on a terminal")
    func get() throws {
        try folder.write("a.json", "{\"\u{202E}a\": \"\u{9B}31m\\u001b\u{7F}\\n\u{E0041}é\"}")
        #expect(
            try folder.sessionctl("get", "a.json").output.contains(
                "\u{202E}a\": \"\u{9B}31m\\u001b\u{7F}\\n\u{E0041}é\""))
        #expect(
            try folder.sessionctl("get", "--raw", "a.json", "\u{202E}a").output == "\u{9B}31m\u{1B}\u{7F}\n\u{E0041}é\n"
        )
        let terminal = try folder.shell("script -qec \"'$0' get a.json\" /dev/null </dev/null").output
        #expect(terminal.contains(#""\u202ea": "\u009b31m\u001b\u007f\n\udb40\udc41é""#))
        let raw = try folder.shell("script -qec \"'$0' get --raw a.json \u{202E}a\" /dev/null </dev/null").output
        #expect(raw.replacing("\r\n", with: "\n") == "\u{FFFD}31m\u{FFFD}\u{FFFD}\n\u{FFFD}é\n")
    }
}
