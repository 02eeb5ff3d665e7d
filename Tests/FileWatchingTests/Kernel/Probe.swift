import Glibc
import TestSupport
import Testing

/// A process of its own that watches files as it is told.
final class Probe {
    private let process: RunningProgram
    let folder: TemporaryFolder
    /// How many commands it was told.
    private var commands = 0

    init(in folder: TemporaryFolder) throws {
        self.folder = folder
        process = try Program.built("SessionProbe").start(["watch"], in: folder, input: .lines)
    }

    /// As root of a user namespace and a mount namespace of its own, after `preparation` in a shell.
    init(in folder: TemporaryFolder, namespaceAfter preparation: String) throws {
        self.folder = folder
        let command = "\(preparation) && exec '\(Program.built("SessionProbe").path)' watch"
        process = try Programs.unshare.program.start(
            ["--user", "--map-root-user", "--mount", "sh", "-c", command], in: folder, input: .lines)
    }

    /// Says a command and returns once it is done.
    func say(_ command: String) throws { try say(command, expecting: "done \(commands + 1)") }

    /// Says a command and returns the first line after that which holds `text`. What it was told before may still be
    /// answered then.
    @discardableResult
    func say(_ command: String, expecting text: String) throws -> String {
        commands += 1
        try process.say(command)
        return try process.line(with: text)
    }

    /// Waits for a line that holds `text`.
    @discardableResult
    func expect(_ text: String) throws -> String { try process.line(with: text) }

    func watch(_ name: String) throws {
        let path = folder.path(of: name)
        try say("watch \(path)", expecting: "watching \(path)")
    }

    /// Changes a file and waits until the change is told.
    func expectEdit(_ name: String) throws {
        try folder.append(name, " ")
        try expect("look \(folder.path(of: name))")
    }

    /// Ends the process, which must have had nothing to complain of.
    func end() throws {
        let result = try process.end()
        #expect(result.code == 0)
        #expect(result.messages == "")
    }
}
