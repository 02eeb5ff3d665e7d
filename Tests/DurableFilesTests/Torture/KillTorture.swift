import FileScripts
import Glibc
import TestSupport
import Testing

/// Repeatedly kills a process that replaces a file, and checks the result.
struct KillTorture {
    /// The results of all runs.
    struct Counts: CustomStringConvertible {
        var kills = 0
        /// The number of kills that left each kind of temporary file.
        var kinds: [String: Int] = [:]
        var untidyKills = 0
        var untidyRecoveries = 0
        var incomplete = 0
        var (returned, missing) = (0, 0)
        var (foreign, foreignMissing) = (0, 0)

        var description: String {
            let kinds = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            return """
                \(kills) kills, \(untidyKills) left something (\(kinds)), after recovery \(untidyRecoveries); \
                incomplete \(incomplete); returned \(returned), missing \(missing); \
                foreign \(foreign), missing \(foreignMissing)
                """
        }
    }

    /// How another program writes the file meanwhile; nil without one.
    let method: WriteMethod?
    private(set) var counts = Counts()
    private var notes: SharedKeyValueFile
    private var next = 0

    /// The file grows with every key, which slows everything down: after that many kills, a new file is used.
    private static let killsPerFile = 100
    /// Short pauses. A writer that has the file open, or replaces it, nearly all the time would interfere between any
    /// two steps of a replacement with delays as long as those here.
    private var pace: [String: Int] {
        ["THINK": 100, "HOLD": 1_000, "GAP": method == .rename ? 1_000 : 4_000]
    }

    init(beside method: WriteMethod?) throws {
        (self.method, notes) = (method, try SharedKeyValueFile())
    }

    mutating func kill(_ count: Int) throws {
        for start in stride(from: 0, to: count, by: Self.killsPerFile) {
            (notes, next) = (try SharedKeyValueFile(), 0)
            let other = try method.map { try notes.externalWriter($0, pace) }
            for number in start..<min(start + Self.killsPerFile, count) {
                try killOnce(number)
                try check()
            }
            if let other { try notes.stop(other) }
            try finish()
        }
    }

    /// Kills half of the processes before a system call and half at any time; half of each with delays before system
    /// calls.
    private mutating func killOnce(_ number: Int) throws {
        let (isAtCall, isDelayed) = (number % 2 == 0, number % 4 < 2)
        let worker = try notes.worker(
            "own", from: next, count: 1_000_000,
            ["PAUSE": 0, "FAST": 1, "KILL_INTERVAL": isAtCall ? 300 : 0, "MAX_DELAY": isDelayed ? 300 : 0])
        if !isAtCall {
            let before = try notes.added(by: "own").count
            try eventually("a key is added", within: .seconds(60)) { try notes.added(by: "own").count > before }
            usleep(.random(in: 0...10_000))
            worker.send(SIGKILL)
        }
        let result = try worker.end(within: .seconds(60))
        #expect(result == Program.Result(code: 128 + SIGKILL))
        counts.kills += 1
        // The key after the last one that returned may be in the file, too.
        if let last = try notes.added(by: "own").last { next = Int(last.dropFirst("own.".count))! + 2 }
    }

    private mutating func check() throws {
        let left = try notes.folder.leftovers()
        if !left.isEmpty { counts.untidyKills += 1 }
        for name in left {
            counts.kinds[String(name.split(separator: ".sm-")[1].prefix { $0 != "-" }), default: 0] += 1
        }
        if try !isComplete() { counts.incomplete += 1 }
        try notes.recover()
        if try !notes.folder.leftovers().isEmpty { counts.untidyRecoveries += 1 }
        if method?.savesStale != true, try isComplete(), try !isLastKeyThere() { counts.missing += 1 }
    }

    /// A writer in place may be interrupted.
    private func isComplete() throws -> Bool {
        switch method {
        case nil, .rename, .locked: try notes.read() != nil
        case .truncate, .hold: try eventually("the file is complete") { try notes.read() != nil }
        }
    }

    private func isLastKeyThere() throws -> Bool {
        guard let key = try notes.added(by: "own").last else { return true }
        return try notes.read().map { $0.values[key] != nil } ?? true
    }

    private mutating func finish() throws {
        try notes.recover()
        counts.untidyRecoveries += try notes.folder.leftovers().isEmpty ? 0 : 1
        counts.returned += try notes.added(by: "own").count
        counts.missing += try notes.lost(by: "own")
        counts.foreign += try notes.added(by: "foreign").count
        counts.foreignMissing += try notes.lost(by: "foreign")
    }
}
