import Glibc
import TestSupport
import Testing

/// A process that executes watching commands.
final class Probe {
    private let process: RunningProgram
    let folder: TemporaryFolder
    /// The number of commands sent.
    private var commands = 0

    init(in folder: TemporaryFolder) throws {
        self.folder = folder
        process = try Program.built("WatchProbe").start(["commands"], in: folder, input: .lines)
    }

    /// Starts the process as root of its own user and mount namespace, after `preparation` in a shell.
    init(in folder: TemporaryFolder, namespaceAfter preparation: String) throws {
        self.folder = folder
        let command = "\(preparation) && exec '\(Program.built("WatchProbe").path)' commands"
        process = try Programs.unshare.program.start(
            ["--user", "--map-root-user", "--mount", "sh", "-c", command], in: folder, input: .lines)
    }

    /// Sends a command and waits until it is done.
    func say(_ command: String) throws { try say(command, expecting: "done \(commands + 1)") }

    /// Sends a command and returns the next line that contains `text`. That may be the answer to an earlier command.
    @discardableResult
    func say(_ command: String, expecting text: String) throws -> String {
        commands += 1
        try process.say(command)
        return try process.line(with: text)
    }

    /// Waits for a line that contains `text`.
    @discardableResult
    func expect(_ text: String) throws -> String { try process.line(with: text) }

    func watch(_ name: String) throws {
        let path = folder.path(of: name)
        try say("watch \(path)", expecting: "watching \(path)")
    }

    /// Changes a file and waits until the change is reported.
    func expectEdit(_ name: String) throws {
        try folder.append(name, " ")
        try expect("changed \(folder.path(of: name))")
    }

    /// Ends the process, which must not have written any error message.
    func end() throws {
        let result = try process.end()
        #expect(result.code == 0)
        #expect(result.messages == "")
    }
}
