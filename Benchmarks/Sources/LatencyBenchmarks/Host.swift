import Foundation
import HandTimed

/// This program again, as one of those that watch. It ends when this is released.
final class Host {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []

    init(_ name: String, _ argument: String) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [name, argument]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

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
