import Foundation
import ManualTiming

/// A child process that watches files: this program with another argument, or WatchProbe. Terminated on release.
final class WatcherProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []

    convenience init(_ name: String, _ argument: String) throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        try self.init(program: program, [name, argument])
    }

    init(program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Writes a line to its standard input.
    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Array("\(line)\n".utf8)) }

    /// Waits for the next line of its output and returns its numbers.
    func numbers() -> [Int] { line().split(separator: " ").compactMap { Int($0) } }

    /// Waits for the next line of its output.
    func line() -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { fail("a watching process has exited") }
            unread += more
        }
    }
}

/// A file with one path per line, for child processes.
enum PathList {
    static func read(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    static func write(_ paths: [String], to path: String) throws {
        try paths.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }
}
