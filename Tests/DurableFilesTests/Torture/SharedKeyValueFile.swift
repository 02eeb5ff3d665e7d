import FileScripts
import Foundation
import TestSupport
import Testing

/// How a program without this library edits the file.
enum WriteMethod: String, Sendable {
    /// Writes another file and renames it over.
    case rename
    /// Truncates the file and writes in two steps.
    case truncate
    /// Keeps the file open while it waits, and writes in place.
    case hold
    /// Renames while it holds the directory lock.
    case locked

    /// Whether it may read the file before a replacement and write all of it afterwards, which looks like a
    /// deliberate revert.
    var savesStale: Bool { self == .rename || self == .truncate }
}

/// A file that several ReplaceProbe processes add keys to, with the log of each process.
struct SharedKeyValueFile {
    let folder: TemporaryFolder
    private let program = Program.built("ReplaceProbe")

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("notes", KeyValueText().bytes)
    }

    /// Starts a process that adds `count` keys with its name.
    func worker(
        _ name: String, from first: Int = 0, count: Int, _ settings: [String: Int]
    ) throws -> RunningProgram {
        try start(["work", "notes", name, "\(first)", "\(count)", log(name)], settings)
    }

    /// Starts a process that adds keys until SIGTERM.
    func externalWriter(_ method: WriteMethod, _ settings: [String: Int] = [:]) throws -> RunningProgram {
        try start([method.rawValue, folder.path(of: "notes"), "foreign", "0", log("foreign")], settings)
    }

    private func start(_ arguments: [String], _ settings: [String: Int]) throws -> RunningProgram {
        try program.start(arguments, in: folder, environment: settings.mapValues(String.init))
    }

    private func log(_ name: String) -> String { "log.\(name)" }
}

extension SharedKeyValueFile {
    /// Recovers from crashes, as every process does when it starts.
    func recover() throws {
        let result = try program.run(["recover", "notes"], in: folder)
        #expect(result == Program.Result(code: 0, output: "0\n"))
    }

    /// Returns nil if the file is incomplete.
    func read() throws -> KeyValueText? { KeyValueText(complete: try folder.readBytes("notes")) }

    /// The keys that are known to be in the file unless another program removed them.
    func added(by name: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path(of: log(name))) else { return [] }
        return try folder.read(log(name)).split(separator: "\n").map(String.init)
    }

    /// The number of those keys that are missing.
    func lost(by name: String) throws -> Int {
        let notes = try #require(try read(), "the file is incomplete")
        return try added(by: name).count { notes.values[$0] == nil }
    }

    /// The number of keys that the external writer wrote to a version that was replaced while it was opening it.
    func writtenToRemovedVersions() throws -> Int { try added(by: "foreign.removed").count }

    /// Lets the writer finish its edit and exit.
    func stop(_ externalWriter: RunningProgram) throws {
        externalWriter.send(SIGTERM)
        #expect(try externalWriter.end(within: .seconds(60)) == Program.Result(code: 0))
    }
}
