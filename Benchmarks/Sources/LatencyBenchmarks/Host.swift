import Foundation
import HandTimed

/// This program again, or another one, as one of those that watch. It ends when this is released.
final class Host {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []

    convenience init(_ name: String, _ argument: String) throws {
        try self.init(program: "/proc/self/exe", [name, argument])
    }

    init(program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program).resolvingSymlinksInPath()
        process.arguments = arguments
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Lets it read a line.
    func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Array("\(line)\n".utf8)) }

    /// The numbers of its next line.
    func numbers() -> [Int] { line().split(separator: " ").compactMap { Int($0) } }

    /// Its next line, as soon as it is there.
    func line() -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { fail("a process that watches has ended") }
            unread += more
        }
    }
}
