import Foundation

/// A folder that a test works in, gone when the test is over.
final class TemporaryFolder {
    let path: String
    private let captures: URL
    private var captureCount = 0

    init() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("sessionctl-\(UUID().uuidString)")
        path = root.appendingPathComponent("work").path
        captures = root.appendingPathComponent("captures")
        for folder in [path, captures.path] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(at: captures.deletingLastPathComponent()) }

    /// An empty file outside the part that the program works in.
    func newCapture() throws -> URL {
        captureCount += 1
        let file = captures.appendingPathComponent(String(captureCount))
        try Data().write(to: file)
        return file
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(of: name))), as: UTF8.self)
    }

    /// Runs sessionctl here.
    func sessionctl(_ arguments: String...) throws -> Program.Result { try Program.run(arguments, in: self) }

    /// Runs sessionctl here, with standard input.
    func sessionctl(_ arguments: String..., input: [UInt8]) throws -> Program.Result {
        let file = try newCapture()
        try Data(input).write(to: file)
        return try Program.run(arguments, in: self, input: FileHandle(forReadingFrom: file))
    }

    /// Runs a script here, in which `$0` is sessionctl.
    func shell(_ script: String) throws -> Program.Result {
        try Program.run(["-c", script, Program.path], of: "/bin/sh", in: self)
    }
}
