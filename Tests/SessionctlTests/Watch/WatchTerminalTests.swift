import TestSupport
import Testing

@Suite("sessionctl watch on a terminal", .needs(.script)) struct WatchTerminalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"port": 1, "text": "\#(String(repeating: "a", count: 300))"}"#)
    }

    /// The lines of a watch on a terminal of some width, until it has printed `count` changes.
    private func lines(
        count: Int, columns: Int = 80, environment: [String: String] = ["NO_COLOR": ""],
        _ edit: (RunningProgram) throws -> Void
    ) throws -> [String] {
        let command = "stty cols \(columns); '\(Program.sessionctl.path)' watch a.json --count \(count)"
        // "swift test" sets NO_COLOR if its own output is no terminal.
        let session = try Programs.script.program.start(
            ["-qec", command, "/dev/null"], in: folder, input: .lines,
            environment: ["NO_COLOR": ""].merging(environment) { $1 })
        #expect(try session.line(with: "watching") == "a.json: watching\r")
        try edit(session)
        let result = try session.end()
        #expect(result.code == 0)
        return result.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }

    private func withoutTime(_ line: String) -> String {
        #expect(line.prefix(8).allSatisfy { $0.isNumber || $0 == ":" } && line.dropFirst(8).first == " ", "\(line)")
        return String(line.dropFirst(9))
    }

    @Test("Each line has a time, and changes have the colors of diff") func colors() throws {
        let lines = try lines(count: 3) { _ in try folder.put("a.json", #"{"port": 2, "new": true}"#) }
        let escape = "\u{1B}["
        let parts = try lines.map { line in
            #expect(line.hasPrefix("\(escape)2m") && line.hasSuffix("\(escape)0m"), "\(line)")
            return try #require(line.split(separator: " ", maxSplits: 1).last)
        }
        #expect(parts[0] == "\(escape)33ma.json:1: port: 1 → 2\(escape)0m")
        #expect(parts[1].hasPrefix("\(escape)31ma.json: text: \"aaa") && parts[1].hasSuffix(" → (none)\(escape)0m"))
        #expect(parts[2] == "\(escape)32ma.json:1: new: (none) → true\(escape)0m")
    }

    @Test("Long values are shortened to the width", arguments: [40, 80, 200]) func widths(columns: Int) throws {
        let text = String(repeating: "b", count: 300)
        let lines = try lines(count: 1, columns: columns, environment: ["NO_COLOR": "1"]) { _ in
            try folder.put("a.json", #"{"port": 1, "text": "\#(text)"}"#)
        }
        #expect(lines.count == 1 && (columns - 4...columns).contains(lines[0].count), "\(lines)")
        let line = withoutTime(lines[0])
        #expect(line.hasPrefix("a.json:1: text: \"aaa") && line.contains("… → \"bbb") && line.hasSuffix("…"))
    }

    @Test("Values in a template do not reach the terminal unescaped, on standard error with --exec") func template()
        throws
    {
        try folder.put("a.json", #"{"n": 1}"#)
        let options = "-r --format '{new}' --count 1 --exec -- true"
        let command = "'\(Program.sessionctl.path)' watch a.json \(options) >/dev/null"
        let session = try Programs.script.program.start(["-qec", command, "/dev/null"], in: folder, input: .lines)
        #expect(try session.line(with: "watching") == "a.json: watching\r")
        try folder.put("a.json", #"{"n": "a\u001b[2Jb"}"#)
        #expect(try session.end() == Program.Result(code: 0, output: "a\u{FFFD}[2Jb\r\n"))
    }

    @Test("A short value leaves its space to the other; a problem and its end have times, too") func problems() throws {
        let lines = try lines(count: 1, environment: ["NO_COLOR": "1"]) { session in
            try folder.put("a.json", "{")
            _ = try session.line(with: "error: ")
            try folder.put("a.json", #"{"port": 1, "text": 2}"#)
        }
        let rest = lines.filter { $0.contains("a.json") }.map(withoutTime)
        #expect(rest.count == 2 && rest[0] == "a.json can be used again", "\(lines)")
        #expect(rest[1].hasSuffix("aaa… → 2") && rest[1].count == 80 - 9, "\(rest)")
    }
}
