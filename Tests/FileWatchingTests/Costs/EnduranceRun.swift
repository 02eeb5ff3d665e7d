import Glibc
import TestSupport

/// A long series of edits of one file: replacements by renaming another over it, and edits in place after each.
///
/// This process writes, another one watches. After a replacement the writer waits until the new file is watched, so
/// that the watch receives all of its events. After the edits in place it waits until the last one has been read, so
/// that no loss remains undetected.
struct EnduranceRun {
    /// The edits after each replacement. Each is a write and a close: two events.
    static let editsInPlace = 5

    /// Measurements by the watching process and by the kernel.
    struct Report: Sendable {
        fileprivate let numbers: [String: Int]

        var names: [String] { numbers.keys.sorted() }

        subscript(name: String) -> Int { numbers[name] ?? -1 }
    }

    private let folder: TemporaryFolder
    private let probe: RunningProgram
    private let process: ObservedProcess
    private var number = 0
    /// The number of rearms.
    private var rearms = 0

    init(backend: String) throws {
        folder = try TemporaryFolder()
        try folder.write("file", "0")
        probe = try Program.built("WatchProbe").start(
            ["endurance", backend, folder.path(of: "file")], in: folder, input: .lines)
        process = ObservedProcess(identifier: probe.identifier)
        _ = try probe.line(with: "watching")
    }

    /// The number in the file.
    var content: Int? { get throws { Int(try folder.read("file")) } }
    /// The last number that the watching process has read.
    private(set) var lastRead = 0

    mutating func edit(replacements: Int) throws {
        for _ in 0..<replacements {
            // The number of the last edit is divisible by ten, so the probe reports it.
            number += 10 - Self.editsInPlace
            try write(to: "new")
            try folder.rename("new", to: "file")
            try waitForNewFile()
            for _ in 0..<Self.editsInPlace {
                number += 1
                try write(to: "file")
            }
            while lastRead < number { try readLine() }
        }
    }

    private mutating func waitForNewFile() throws {
        let before = rearms
        while lastRead < number || rearms == before { try readLine() }
    }

    private mutating func readLine() throws {
        let words = try probe.line(with: "at ").split(separator: " ")
        (lastRead, rearms) = (Int(words[1])!, Int(words[2])!)
    }

    /// Does not truncate the file first: the kernel may or may not merge that event with the next one.
    private func write(to name: String) throws {
        let file = try Descriptor.open(folder.path(of: name), O_WRONLY | O_CREAT)
        defer { close(file) }
        try Descriptor.write(Array("\(number)".utf8), to: file)
    }

    func report() throws -> Report {
        try probe.say("report")
        let pairs = try probe.line(with: "report").split(separator: " ").dropFirst().map { $0.split(separator: "=") }
        var numbers = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int($0[1])!) })
        // The handler may have the file open.
        numbers["descriptors"] = try (0..<5).map { _ in try process.descriptors() }.min()
        numbers["kernelList"] = try process.watches()
        return Report(numbers: numbers)
    }

    /// Ends the watching process and returns its exit code and error messages.
    func end() throws -> Program.Result { try probe.end() }
}
