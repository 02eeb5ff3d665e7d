import Glibc
import TestSupport
import Testing

/// A running `sessionctl watch a.json` with `--exec` or `--signal`, which has begun to watch.
///
/// On release it is ended by a signal, so that it stops its command.
final class ExecProcess {
    let program: RunningProgram
    private let folder: TemporaryFolder
    private var hasEnded = false

    /// - Parameters:
    ///   - options: Options before `--exec`.
    ///   - script: A shell script that is the command; nil for none.
    init(
        _ options: String..., in folder: TemporaryFolder, running script: String?,
        environment: [String: String] = [:]
    ) throws {
        self.folder = folder
        let command = script.map { ["--exec", "--", "/bin/sh", "-c", $0] } ?? []
        let started = try Program.sessionctl.start(
            ["watch", "a.json"] + options + command, in: folder, environment: environment)
        program = started
        try eventually("the file is watched") { try started.readMessages().contains("a.json: watching") }
    }

    /// Replaces the value of `n`.
    func put(_ number: Int) throws { try folder.put("a.json", #"{"n": \#(number)}"#) }

    /// The next line of the command's output.
    func line() throws -> String? { try program.line() }

    /// The messages that are not about changes.
    func messages() throws -> [String] {
        try program.readMessages().split(separator: "\n").map(String.init).filter { $0.hasPrefix("sessionctl: ") }
    }

    /// Waits for a change to be reported, which happens before the command can learn of it.
    func waitForChange(from before: Int? = nil, to number: Int) throws {
        let text = "\(before.map(String.init) ?? "") → \(number)\n"
        try eventually("the change is reported") { try program.readMessages().contains(text) }
    }

    /// Waits for the end, and returns the exit code and the unread output.
    func end() throws -> Program.Result {
        hasEnded = true
        return try program.end()
    }

    deinit {
        if hasEnded { return }
        program.send(SIGTERM)
        _ = try? program.end()
    }

    /// Waits until no process with this number is left.
    static func waitForEnd(of process: String?, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let number = try #require(process.flatMap { pid_t($0) }, sourceLocation: sourceLocation)
        eventually("process \(number) ends", sourceLocation: sourceLocation) { kill(number, 0) != 0 && errno == ESRCH }
    }
}
