import TestSupport
import Testing

/// An interactive shell with the completion of sessionctl, in a terminal of tmux.
final class ShellTerminal {
    private let folder: TemporaryFolder
    private let server: RunningProgram

    /// Starts the shell in `folder`, which also gets its startup files.
    init(_ startup: ShellStartup, in folder: TemporaryFolder) throws {
        self.folder = folder
        try startup.writeFiles(in: folder)
        // The server is a child of the test, so that it cannot outlive it.
        server = try Programs.tmux.program.start(
            ["-S", "tmux", "-f", "/dev/null", "-u", "-D"], in: folder, environment: ["LC_ALL": "C.UTF-8"])
        try eventually("tmux listens") { try tmux("set-option", "-g", "status", "off").code == 0 }
        let result = try tmux("new-session", "-d", "-x", "100", "-y", "40", try startup.command(in: folder))
        #expect(result == Program.Result(code: 0))
        try expectLine("")
    }

    deinit {
        _ = try? tmux("kill-server")
        _ = try? server.end()
    }

    private func tmux(_ arguments: String...) throws -> Program.Result {
        try Programs.tmux.program.run(["-S", "tmux", "-u"] + arguments, in: folder)
    }

    func type(_ text: String) throws { _ = try tmux("send-keys", "-l", "--", text) }

    func press(_ key: String) throws { _ = try tmux("send-keys", key) }

    /// Everything that the terminal shows.
    func screen() throws -> String { try tmux("capture-pane", "-p").output }

    /// The line of the cursor up to the cursor, with its spaces, after the prompt.
    private func line() throws -> String? {
        let output = try tmux("display-message", "-p", "#{cursor_y} #{cursor_x}", ";", "capture-pane", "-p").output
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        let cursor = lines[0].split(separator: " ").compactMap { Int($0) }
        guard cursor.count == 2, cursor[0] + 1 < lines.count else { return nil }
        let shown = lines[cursor[0] + 1].prefix(cursor[1])
        let line = shown + String(repeating: " ", count: cursor[1] - shown.count)
        return line.hasPrefix("> ") ? String(line.dropFirst(2)) : nil
    }

    /// Waits until the line up to the cursor is `line`.
    func expectLine(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let arrived = try eventually("the line \"\(line)\"", sourceLocation: sourceLocation) { try self.line() == line }
        if !arrived { Issue.record("the screen: \(try screen())", sourceLocation: sourceLocation) }
    }

    /// Types text and a tab, and waits for the resulting line.
    func complete(_ text: String, to line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try type(text)
        try press("Tab")
        try expectLine(line, sourceLocation: sourceLocation)
    }

    /// Empties the line.
    func clear() throws {
        try press("C-e")
        try press("C-u")
        try expectLine("")
    }
}
