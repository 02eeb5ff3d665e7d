import Glibc
import TestSupport
import Testing

/// A terminal of tmux, with a server of its own, in which a test runs a shell command and reads the screen.
///
/// The end of its life kills the server, and with it everything that runs in the terminal.
final class TmuxScreen {
    private let folder: TemporaryFolder
    private let server: RunningProgram
    private let tmux: Program
    /// The name of the server's socket.
    private let socket: String

    init(_ command: String, in folder: TemporaryFolder, columns: Int = 80, rows: Int = 24) throws {
        self.folder = folder
        tmux = try Programs.tmux.program
        socket = try "tmux-\(folder.names().count)"
        server = try tmux.start(["-D", "-u", "-S", socket, "-f", "/dev/null"], in: folder)
        let (tmux, path) = (tmux, folder.path(of: socket))
        eventually("tmux starts") { access(path, F_OK) == 0 }
        let result = try tmux.run(
            [
                "-u", "-S", socket, "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "/bin/sh", "-c",
                "unset NO_COLOR; trap : INT; \(command); echo END $?; exec sleep 1000",
            ],
            in: folder)
        try #require(result.code == 0, "\(result)")
    }

    deinit {
        _ = try? run("kill-server")
        _ = try? server.end()
    }

    @discardableResult
    private func run(_ arguments: String...) throws -> String {
        try tmux.run(["-S", socket] + arguments, in: folder).output
    }

    /// The lines of the screen, without trailing spaces.
    func lines() throws -> [String] {
        try run("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The screen with the sequences of colors and attributes.
    func styled() throws -> String { try run("capture-pane", "-p", "-e") }

    /// Presses keys, by the names that tmux has for them; others are typed.
    func press(_ keys: String...) throws { _ = try tmux.run(["-S", socket, "send-keys"] + keys, in: folder) }

    func resize(columns: Int, rows: Int) throws {
        try run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Waits until a line has a text.
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try wait(text, sourceLocation: sourceLocation) { $0.contains { $0.contains(text) } }
    }

    /// Waits until the lines of the screen fulfil a condition.
    func wait(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: ([String]) -> Bool
    ) throws {
        var last: [String] = []
        let isReached = try eventually("\(what) on the screen", sourceLocation: sourceLocation) {
            last = try lines()
            return condition(last)
        }
        if !isReached { Issue.record("\(last.joined(separator: "\n"))", sourceLocation: sourceLocation) }
    }

    /// Whether the program has left the screen as a program should: not the alternate one, with a cursor.
    func isRestored() throws -> Bool {
        try run("display-message", "-p", "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}") == "0 1 0\n"
    }
}
