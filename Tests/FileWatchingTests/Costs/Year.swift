import Glibc
import TestSupport

/// A year of edits of one file in a minute: replacements by renaming over it, and edits in place after each.
///
/// This process writes, another one watches. After a replacement the writer waits until the new file is watched, so that
/// the watch gets all that happens to it and not only the ends; and after the edits in place until the last one has been
/// read, so that none is lost without being missed.
struct Year {
    /// After each replacement. Each writes and closes: two events.
    static let editsInPlace = 5

    /// What the watching process says of itself, and what the kernel says of it.
    struct Report: Sendable {
        fileprivate let numbers: [String: Int]

        var names: [String] { numbers.keys.sorted() }

        subscript(name: String) -> Int { numbers[name] ?? -1 }
    }

    private let folder: TemporaryFolder
    private let probe: RunningProgram
    private let process: ObservedProcess
    private var number = 0
    /// How often the path was seen to lead elsewhere.
    private var rearms = 0

    init(way: String) throws {
        folder = try TemporaryFolder()
        try folder.write("file", "0")
        probe = try Program.built("HubProbe").start(["year", way, folder.path(of: "file")], in: folder, input: .lines)
        process = ObservedProcess(identifier: probe.identifier)
        _ = try probe.line(with: "watching")
    }

    /// What the file holds now.
    var content: Int? { get throws { Int(try folder.read("file")) } }
    /// What the watching process has read last of what was written.
    private(set) var lastRead = 0

    mutating func live(replacements: Int) throws {
        for _ in 0..<replacements {
            // The last of the edits is divisible by ten, which the probe tells.
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

    /// Without emptying it first: that would be an event which the kernel merges with the next, or does not.
    private func write(to name: String) throws {
        let file = try Descriptor.open(folder.path(of: name), O_WRONLY | O_CREAT)
        defer { close(file) }
        try Descriptor.write(Array("\(number)".utf8), to: file)
    }

    func report() throws -> Report {
        try probe.say("report")
        let pairs = try probe.line(with: "report").split(separator: " ").dropFirst().map { $0.split(separator: "=") }
        var numbers = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int($0[1])!) })
        // A look that is under way has the file open.
        numbers["descriptors"] = try (0..<5).map { _ in try process.descriptors() }.min()
        numbers["kernelList"] = try process.watches()
        return Report(numbers: numbers)
    }

    /// Ends the watching process; its exit code, and what it complained of.
    func end() throws -> Program.Result { try probe.end() }
}
