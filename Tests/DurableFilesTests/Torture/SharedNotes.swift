import FileScripts
import Foundation
import TestSupport
import Testing

/// Who edits the file beside the processes that use this library, knowing nothing of it.
enum Foreigner: String, Sendable {
    /// Another file, renamed over.
    case rename
    /// Opens for writing, which empties the file, and writes in two steps.
    case truncate
    /// Keeps the file open while it thinks, and writes in place.
    case hold
    /// Renames under the lock of the folder.
    case locked

    /// It read before one of our saves and writes all of the file after it: nobody can tell that it does not mean to
    /// take the save back.
    var savesStale: Bool { self == .rename || self == .truncate }
}

/// A file that several processes of ReplaceProbe add keys to, and what each of them says it has added for sure.
struct SharedNotes {
    let folder: TemporaryFolder
    private let program = Program.built("ReplaceProbe")

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("notes", Notes().bytes)
    }

    /// Adds `count` keys that are called after it.
    func worker(
        _ name: String, from first: Int = 0, count: Int, _ settings: [String: Int]
    ) throws -> RunningProgram {
        try start(["work", "notes", name, "\(first)", "\(count)", log(name)], settings)
    }

    /// Adds keys until it is sent SIGTERM.
    func foreigner(_ manner: Foreigner, _ settings: [String: Int] = [:]) throws -> RunningProgram {
        try start([manner.rawValue, folder.path(of: "notes"), "foreign", "0", log("foreign")], settings)
    }

    private func start(_ arguments: [String], _ settings: [String: Int]) throws -> RunningProgram {
        try program.start(arguments, in: folder, environment: settings.mapValues(String.init))
    }

    private func log(_ name: String) -> String { "log.\(name)" }
}

extension SharedNotes {
    /// What every process does that begins: clears away what the dead have left.
    func recover() throws {
        let result = try program.run(["recover", "notes"], in: folder)
        #expect(result == Program.Result(code: 0, output: "0\n"))
    }

    /// Nil for half a file.
    func read() throws -> Notes? { Notes(complete: try folder.readBytes("notes")) }

    /// The keys that are surely in the file, if nobody takes them out again.
    func added(by name: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path(of: log(name))) else { return [] }
        return try folder.read(log(name)).split(separator: "\n").map(String.init)
    }

    /// How many of them are not.
    func lost(by name: String) throws -> Int {
        let notes = try #require(try read(), "half a file")
        return try added(by: name).count { notes.values[$0] == nil }
    }

    /// Lets who edits end what it has begun.
    func stop(_ foreigner: RunningProgram) throws {
        foreigner.send(SIGTERM)
        #expect(try foreigner.end(within: .seconds(60)) == Program.Result(code: 0))
    }
}
