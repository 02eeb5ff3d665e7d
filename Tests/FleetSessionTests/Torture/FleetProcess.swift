import Glibc
import Locking
import TestSupport

/// A process of a machine, driven by a thread of its own: it commits until all its commits have returned, and is started
/// again when it was killed.
final class FleetProcess: Sendable {
    struct Record: Sendable {
        /// The numbers that commits returned.
        var committed: [Int] = []
        /// The number of commits that may have been made without being seen to return.
        var doubtful = 0
        var failures: [String] = []
        var problems: [String] = []

        var count: Int { committed.count + doubtful }
    }

    private let folder: TemporaryFolder
    private let machine: String
    private let endpoints: [String]
    private let identifier = Lock<Int32?>(nil)
    private let storedRecord = Lock(Record())

    var record: Record { storedRecord.withLock { $0 } }

    init(in folder: TemporaryFolder, machine: String, endpoints: [String]) {
        (self.folder, self.machine, self.endpoints) = (folder, machine, endpoints)
    }

    /// Kills the process, if it runs.
    func kill() { identifier.withLock { if let identifier = $0 { Glibc.kill(identifier, SIGKILL) } } }

    /// Runs processes until `count` commits have returned, or may have been made.
    func commit(_ count: Int) throws {
        while record.count < count {
            let program = try start()
            identifier.withLock { $0 = program.identifier }
            defer { identifier.withLock { $0 = nil } }
            // It may be killed at any moment.
            try? program.say("commit \(count - record.count)")
            let hasEnded = try read(program)
            identifier.withLock { $0 = nil }
            if hasEnded {
                let lines = try program.end().output.split(separator: "\n").map(String.init)
                storedRecord.withLock { $0.problems += lines }
            } else {
                storedRecord.withLock { $0.doubtful += 1 }
            }
        }
    }

    func start() throws -> RunningProgram {
        try Program.built("FleetProbe").start(
            [folder.path(of: "settings.json"), "/test/settings", machine] + endpoints.shuffled(), in: folder,
            input: .lines)
    }

    /// Reads the output until all commits are made; false if the process was killed before.
    private func read(_ program: RunningProgram) throws -> Bool {
        while let line = try program.line() {
            let words = line.split(separator: " ")
            switch words.first {
            case "committed": storedRecord.withLock { $0.committed.append(Int(words[1]) ?? -1) }
            case "failed":
                storedRecord.withLock { record in
                    record.failures.append(line)
                    if words.dropFirst().first == "uncertain" { record.doubtful += 1 }
                }
            case "problem": storedRecord.withLock { $0.problems.append(line) }
            case "done": return true
            default: break
            }
        }
        return false
    }
}
