import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("A process that is killed while it saves") struct SavingKillTortureTests {
    @Test("leaves a complete file with all that it had committed, and nothing that the next save leaves there")
    func killed() throws {
        let runs = stride(from: 0, to: SavingAmount.kills, by: SavingKillRun.killsPerFile)
        var counts = SavingKillRun.Counts()
        for start in runs {
            var run = try SavingKillRun(counts)
            try run.kill(min(SavingKillRun.killsPerFile, SavingAmount.kills - start))
            counts = run.counts
        }
        print("killed while saving: \(counts)")
        #expect(counts.kills == SavingAmount.kills)
        #expect(counts.committed > counts.kills)
        #expect(counts.incomplete == 0)
        #expect(counts.missing == 0)
        #expect(counts.untidySaves == 0)
        if counts.kills >= 200 { #expect(counts.untidyKills > 0, "nobody was killed in the middle") }
    }
}

/// Killing a process that saves into one file, again and again, and looking at what is left each time.
struct SavingKillRun {
    /// What was seen.
    struct Counts: CustomStringConvertible {
        var kills = 0
        /// After how many something lay beside the file, and after how many next saves it still did.
        var (untidyKills, untidySaves) = (0, 0)
        var incomplete = 0
        var (committed, missing) = (0, 0)

        var description: String {
            """
            \(kills) kills, \(untidyKills) left something, after the next save \(untidySaves); \
            incomplete \(incomplete); committed \(committed), missing \(missing)
            """
        }
    }

    /// The file gets longer with every key: after so many kills another one is begun.
    static let killsPerFile = 100

    private(set) var counts: Counts
    private let file: SharedFile
    private var committed: [Int] = []
    /// Whether the last of them came with an update.
    private var hasUpdated = false
    private var next = 0

    init(_ counts: Counts) throws { (self.counts, file) = (counts, try SharedFile()) }

    mutating func kill(_ count: Int) throws {
        for number in 0..<count {
            // Every fifth at the beginning of its life.
            try killOnce(afterFirst: number % 5 != 0)
            try look()
        }
        #expect(try file.start("count", "1").end() == Program.Result(code: 0))
        try file.expectWhole(withKeysOf: 0)
    }

    private mutating func killOnce(afterFirst: Bool) throws {
        let process = try file.start("commit", "own", "\(next)")
        if afterFirst {
            committed.append(try #require(Int(try process.line() ?? "")))
            if try !file.folder.leftOvers().isEmpty { counts.untidySaves += 1 }
            try process.say("go on")
        }
        usleep(.random(in: 0...30_000))
        process.send(SIGKILL)
        let result = try process.end()
        #expect(result.code == 128 + SIGKILL)
        let rest = result.output.split(separator: "\n").compactMap { Int($0) }
        committed += rest
        hasUpdated = afterFirst && !rest.isEmpty
        counts.committed += rest.count + (afterFirst ? 1 : 0)
        counts.kills += 1
        // The one after the last that returned may be in the file too.
        next = max(next, committed.last.map { $0 + 2 } ?? 0)
    }

    private mutating func look() throws {
        if try !file.folder.leftOvers().isEmpty { counts.untidyKills += 1 }
        guard let values = try? file.values() else {
            counts.incomplete += 1
            return
        }
        counts.missing += committed.count { values["own_\($0)"]?.int != $0 }
        // What was in memory before a commit has gone with it; before the first there was nothing.
        if hasUpdated, let last = committed.last, (values["latest"]?.int ?? 0) < last { counts.missing += 1 }
    }
}
