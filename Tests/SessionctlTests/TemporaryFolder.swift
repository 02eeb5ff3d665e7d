import Foundation
import Glibc

/// A folder that a test works in, gone when the test is over.
final class TemporaryFolder {
    private let root: String
    private var nameCount = 0

    /// Where the program runs.
    var path: String { root + "/work" }

    init() throws {
        root = "\(FileManager.default.temporaryDirectory.path)/sessionctl-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root + "/work", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let descriptor = try Program.openFile(path(of: name), O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Program.CannotRun(reason: "short write")
        }
    }

    func read(_ name: String) throws -> String {
        let descriptor = try Program.openFile(path(of: name), O_RDONLY)
        defer { close(descriptor) }
        return try Program.readFile(descriptor)
    }

    /// An empty file outside the part that the program works in.
    func newCapture() throws -> Int32 { try Program.openFile(newName(), O_RDWR | O_CREAT | O_EXCL) }

    /// A pipe that reads without blocking. It has a name at first: Swift's Glibc has no `pipe2`, and what `pipe` opens
    /// could be inherited by the process of another test.
    func newPipe() throws -> (reader: Int32, writer: Int32) {
        let name = newName()
        guard mkfifo(name, 0o600) == 0 else { throw Program.CannotRun(reason: "no pipe") }
        return (try Program.openFile(name, O_RDONLY | O_NONBLOCK), try Program.openFile(name, O_WRONLY))
    }

    private func newName() -> String {
        nameCount += 1
        return "\(root)/\(nameCount)"
    }

    /// Runs sessionctl here.
    func sessionctl(_ arguments: String...) throws -> Program.Result { try Program.run(arguments, in: self) }

    /// Runs sessionctl here, with standard input.
    func sessionctl(_ arguments: String..., input: [UInt8]) throws -> Program.Result {
        try write("../input", input)
        return try Program.run(arguments, in: self, input: Program.openFile(path(of: "../input"), O_RDONLY))
    }

    /// Runs a script here, in which `$0` is sessionctl.
    func shell(_ script: String) throws -> Program.Result {
        try Program.run(["-c", script, Program.path], of: "/bin/sh", in: self)
    }
}
