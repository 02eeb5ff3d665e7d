#if Curses
import Foundation
import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch --view in a terminal", .needs(.tmux, .python3)) struct ViewTerminalTests {
    private let folder: TemporaryFolder
    private let program = "'\(Program.sessionctl.path)' watch --view"

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"http": {"port": 8080, "host": "localhost"}, "wide": "東京 é 😀", "z": 1}"#)
    }

    @Test("Values and changes are shown, and highlighted in color", arguments: [(80, 24), (200, 50)])
    func changes(columns: Int, rows: Int) throws {
        let screen = try TmuxScreen("\(program) a.json", in: folder, columns: columns, rows: rows)
        try screen.wait(for: "version 1 · live")
        #expect(try screen.lines().contains { $0.contains("port") && $0.contains("8080") })
        #expect(try screen.lines().contains { $0.contains("\"東京 é 😀\"") })
        try folder.put("a.json", #"{"http": {"port": 9090}, "wide": "東京 é 😀", "z": 1, "new": true}"#)
        try screen.wait(for: "8080 → 9090")
        let styled = try screen.styled()
        for color in ["33", "31", "32"] { #expect(styled.contains("\u{1B}[\(color)m"), "\(styled)") }
        #expect(try screen.lines().contains { $0.hasPrefix("~") && $0.contains("port") && $0.contains("9090") })
        try screen.wait("the end of the highlight") { !$0.contains { $0.hasPrefix("~") && $0.contains("    port") } }
        #expect(try screen.lines().last { !$0.isEmpty }?.hasPrefix(" q quit") == true)
    }

    @Test("The picture in README is what the view shows") func picture() throws {
        let sources = #filePath.components(separatedBy: "/Tests/")[0]
        let page = MarkdownPage(try String(contentsOfFile: "\(sources)/Examples/README.md", encoding: .utf8))
        let text = try #require(page.blocks.first { $0.kind == "text" }).text
        var picture = text.components(separatedBy: "\n")
        if picture.last == "" { picture.removeLast() }
        let tls = #""tls": {"on": true, "cert": null}"#
        let rest = #""hosts": ["alpha", "beta"], "limits": {"clients": 100}}"#
        try folder.put("server.json", #"{"http": {"port": 8080, "host": "localhost", \#(tls)}, \#(rest)"#)
        let screen = try TmuxScreen("\(program) server.json", in: folder, rows: picture.count)
        try screen.wait(for: "live")
        for _ in 0..<7 { try screen.press("Down") }
        try screen.press("Left", "Home")
        try screen.wait(for: "▸ hosts")
        try folder.put("server.json", #"{"http": {"port": 9090, "limit": 5, \#(tls)}, \#(rest)"#)
        try screen.wait(for: "8080 → 9090")
        let time = /\d\d:\d\d:\d\d/
        let shown = try screen.lines().prefix(picture.count).map { $0.replacing(time, with: "00:00:00") }
        #expect(shown == picture.map { $0.replacing(time, with: "00:00:00") })
    }

    @Test("Without color, marks and attributes remain") func noColor() throws {
        let screen = try TmuxScreen("NO_COLOR=1 \(program) a.json", in: folder)
        try screen.wait(for: "live")
        try folder.put("a.json", #"{"http": {"port": 1}, "z": 2}"#)
        try screen.wait(for: "1 → 2")
        let styled = try screen.styled()
        #expect(!styled.contains("[33m") && !styled.contains("[31m") && styled.contains("\u{1B}[1m~"), "\(styled)")
    }

    @Test("A terminal without colors and a locale without UTF-8 are sufficient") func monochrome() throws {
        let screen = try TmuxScreen("env -u LANG LC_ALL=C TERM=vt100 \(program) a.json", in: folder)
        try screen.wait(for: "\"東京 é 😀\"")
    }

    @Test("A problem appears with its excerpt below the last values, and disappears") func problem() throws {
        let screen = try TmuxScreen("\(program) a.json", in: folder)
        try screen.wait(for: "live")
        try folder.put("a.json", "{\n  \"http\": {\"port\": ,}\n}")
        try screen.wait(for: "^")
        let lines = try screen.lines()
        let place = try #require(lines.firstIndex { $0.hasPrefix("a.json:2:20: error: ") })
        #expect(lines[place...].contains("  \"http\": {\"port\": ,}"))
        #expect(lines[place...].contains(String(repeating: " ", count: 19) + "^"))
        #expect(lines.contains { $0.contains("8080") } && lines[0].contains("invalid"))
        try folder.put("a.json", #"{"http": {"port": 5}}"#)
        try screen.wait("the recovery") { !$0.contains { $0.contains("error:") } && $0[0].contains("version 2 · live") }
    }

    @Test("A missing file is waited for; several files have a tree each") func missing() throws {
        let screen = try TmuxScreen("\(program) a.json b.json", in: folder)
        try screen.wait(for: "2 files, 1 missing")
        try folder.put("b.json", #"{"second": 2}"#)
        try screen.wait("the new file") { $0.contains { $0.contains("second") } && !$0[0].contains("missing") }
        try folder.remove("b.json")
        try screen.wait(for: "1 missing")
    }

    @Test("The files of a directory are shown, and those that appear in it") func directory() throws {
        try folder.createFolder("conf")
        let screen = try TmuxScreen("\(program) conf", in: folder, columns: 100)
        try screen.wait(for: "0 files")
        try folder.put("conf/x.json", #"{"first": 1}"#)
        try screen.wait("the file") { $0.contains { $0.hasPrefix("+") && $0.contains("   first") } }
        try folder.put("conf/y.json", #"{"second": 2}"#)
        try screen.wait("both files") { $0.contains { $0.contains("second") } && $0[0].contains("2 files") }
    }

    @Test("Keys scroll, fold and search; unknown keys do nothing") func keys() throws {
        let records = (0..<500).map { #"{"id": \#($0), "name": "record \#($0)"}"# }
        try folder.put("a.json", "[\(records.joined(separator: ","))]")
        let screen = try TmuxScreen("\(program) a.json", in: folder)
        try screen.wait(for: "500 elements")
        try screen.press("F5", "C-a", "M-x", "End")
        try screen.wait(for: "record 499")
        try screen.press("Right")
        try screen.wait(for: "2 members")
        try screen.press("Home", "/", "record 25", "0", "Enter")
        try screen.wait(for: "\"record 250\"")
        try screen.press("/", "nowhere", "Enter")
        try screen.wait(for: "not found: nowhere")
        try screen.press("Home", "Left")
        try screen.wait("the closed file") { !$0.contains { $0.contains("record 250") } && $0[1].contains("▸ a.json") }
        try screen.press("?")
        try screen.wait(for: "search keys and values")
    }

    @Test("A new size is adopted, down to very small ones") func resizing() throws {
        let screen = try TmuxScreen("\(program) a.json", in: folder)
        try screen.wait(for: "── No changes yet")
        try screen.resize(columns: 200, rows: 50)
        try screen.wait(for: "│── No changes yet")
        for (columns, rows) in [(10, 3), (1, 1), (3, 2)] {
            try screen.resize(columns: columns, rows: rows)
            try screen.press("Down", "Tab", "Tab")
        }
        try screen.resize(columns: 60, rows: 20)
        try screen.wait("the old view") { $0[0].hasSuffix("version 1 · live") && $0[19].hasPrefix(" q quit") }
    }

    @Test("Content cannot control the terminal") func hostile() throws {
        let members = [#""\u001b[2Jkey": "\u001b]0;title\u0007""#, "\"raw\u{9B}31m\": \"\u{202E}\u{9B}2J\""]
        try folder.put("a.json", "{\(members.joined(separator: ", "))}")
        let screen = try TmuxScreen("\(program) a.json", in: folder)
        try screen.wait(for: "\u{FFFD}[2Jkey")
        try screen.wait(for: #"\u001b]0;title\u0007"#)
        try screen.wait(for: "raw\u{FFFD}31m")
    }

    @Test("While the file changes a thousand times a second, keys are answered, and the last values are shown")
    func busy() throws {
        let screen = try TmuxScreen("\(program) a.json", in: folder)
        try screen.wait(for: "live")
        let script = """
            import os, time
            start = time.monotonic()
            for number in range(3000):
                with open("new", "w") as file: file.write('{"number": %d}' % number)
                os.rename("new", "a.json")
                time.sleep(max(0, start + number / 1000 - time.monotonic()))
            """
        let writer = try Programs.python3.program.start(["-c", script], in: folder)
        try screen.wait("a highlight") { $0.contains { $0.hasPrefix("~") && $0.contains("   number") } }
        try screen.press("?")
        try screen.wait(for: "search keys and values")
        try screen.press("?")
        try screen.wait("the tree") { $0.contains { $0.contains("▾ a.json") } }
        #expect(try writer.end().code == 0)
        try screen.wait(for: "→ 2999")
    }
}
#endif
