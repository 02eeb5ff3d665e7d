import FileScripts
import Glibc
import TestSupport
import Testing

/// Killing a process that replaces a file, again and again, and looking at what is left each time.
struct KillRun {
    /// What was seen.
    struct Counts: CustomStringConvertible {
        var kills = 0
        /// Of those, after how many something lay beside the file.
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

    let foreigner: Foreigner?
    private(set) var counts = Counts()
    private var notes: SharedNotes
    private var next = 0

    /// The file gets longer with every key, and everything slower: after so many kills another one is begun.
    private static let killsPerFile = 100
    /// With little rest. Who has the file open, or replaces it, nearly all the time comes between every two steps of a
    /// replacement that pauses as long as the wide ones here.
    private var pace: [String: Int] {
        ["THINK": 100, "HOLD": 1_000, "GAP": foreigner == .rename ? 1_000 : 4_000]
    }

    init(beside foreigner: Foreigner?) throws { (self.foreigner, notes) = (foreigner, try SharedNotes()) }

    mutating func kill(_ count: Int) throws {
        for start in stride(from: 0, to: count, by: Self.killsPerFile) {
            (notes, next) = (try SharedNotes(), 0)
            let other = try foreigner.map { try notes.foreigner($0, pace) }
            for number in start..<min(start + Self.killsPerFile, count) {
                try killOnce(number)
                try look()
            }
            if let other { try notes.stop(other) }
            try finish()
        }
    }

    /// Half of them before a system call, half of them at any moment; half of each with pauses before system calls.
    private mutating func killOnce(_ number: Int) throws {
        let (isAtCall, isWide) = (number % 2 == 0, number % 4 < 2)
        let worker = try notes.worker(
            "own", from: next, count: 1_000_000,
            ["PAUSE": 0, "FAST": 1, "DEATH": isAtCall ? 300 : 0, "WIDEN": isWide ? 300 : 0])
        if !isAtCall {
            let before = try notes.added(by: "own").count
            try eventually("a key is added", within: .seconds(60)) { try notes.added(by: "own").count > before }
            usleep(.random(in: 0...10_000))
            worker.send(SIGKILL)
        }
        let result = try worker.end(within: .seconds(60))
        #expect(result == Program.Result(code: 128 + SIGKILL))
        counts.kills += 1
        // The one after the last that returned may be in the file too.
        if let last = try notes.added(by: "own").last { next = Int(last.dropFirst("own.".count))! + 2 }
    }

    private mutating func look() throws {
        let left = try notes.folder.leftOvers()
        if !left.isEmpty { counts.untidyKills += 1 }
        for name in left {
            counts.kinds[String(name.split(separator: ".sm-")[1].prefix { $0 != "-" }), default: 0] += 1
        }
        if try !isComplete() { counts.incomplete += 1 }
        try notes.recover()
        if try !notes.folder.leftOvers().isEmpty { counts.untidyRecoveries += 1 }
        if foreigner?.savesStale != true, try isComplete(), try !isLastKeyThere() { counts.missing += 1 }
    }

    /// Who writes in place may be in the middle of it.
    private func isComplete() throws -> Bool {
        switch foreigner {
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
        counts.untidyRecoveries += try notes.folder.leftOvers().isEmpty ? 0 : 1
        counts.returned += try notes.added(by: "own").count
        counts.missing += try notes.lost(by: "own")
        counts.foreign += try notes.added(by: "foreign").count
        counts.foreignMissing += try notes.lost(by: "foreign")
    }
}
