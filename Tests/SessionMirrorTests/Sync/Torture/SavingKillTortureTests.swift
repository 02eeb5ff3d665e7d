import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("Killing a process while it saves") struct SavingKillTortureTests {
    @Test("A killed process leaves a complete file with all its commits, and the next save cleans up")
    func killed() throws {
        let runs = stride(from: 0, to: TortureScale.kills, by: SavingKillRun.killsPerFile)
        var counts = SavingKillRun.Counts()
        for start in runs {
            var run = try SavingKillRun(counts)
            try run.kill(min(SavingKillRun.killsPerFile, TortureScale.kills - start))
            counts = run.counts
        }
        print("killed while saving: \(counts)")
        #expect(counts.kills == TortureScale.kills)
        #expect(counts.incomplete == 0)
        #expect(counts.missing == 0)
        #expect(counts.savesWithLeftovers == 0)
        // Where a process is killed depends on the load of the machine, so few kills prove nothing.
        if counts.kills >= 200 {
            #expect(counts.committed > counts.kills, "processes were killed before their second commit")
            #expect(counts.killsWithLeftovers > 0, "no process was killed during a replacement")
        }
    }
}

/// Kills a process that saves one file repeatedly, and checks the directory after each kill.
struct SavingKillRun {
    /// The results so far.
    struct Counts: CustomStringConvertible {
        var kills = 0
        /// The number of kills that left another file in the directory, and of following saves that did not remove it.
        var (killsWithLeftovers, savesWithLeftovers) = (0, 0)
        var incomplete = 0
        var (committed, missing) = (0, 0)

        var description: String {
            """
            \(kills) kills, \(killsWithLeftovers) left files, \(savesWithLeftovers) saves did not remove them; \
            incomplete \(incomplete); committed \(committed), missing \(missing)
            """
        }
    }

    /// The file grows with every key, so a new one is created after this many kills.
    static let killsPerFile = 100

    private(set) var counts: Counts
    private let file: SharedFile
    private var committed: [Int] = []
    /// Whether the last commit came with an update.
    private var hasUpdated = false
    private var next = 0

    init(_ counts: Counts) throws { (self.counts, file) = (counts, try SharedFile()) }

    mutating func kill(_ count: Int) throws {
        for number in 0..<count {
            // Kills every fifth process shortly after its start.
            try killOnce(afterFirst: number % 5 != 0)
            try checkFile()
        }
        #expect(try file.start("count", "1").end() == Program.Result(code: 0))
        try file.expectWhole(withKeysOf: 0)
    }

    private mutating func killOnce(afterFirst: Bool) throws {
        let process = try file.start("commit", "own", "\(next)")
        if afterFirst {
            committed.append(try #require(Int(try process.line() ?? "")))
            if try !file.folder.leftovers().isEmpty { counts.savesWithLeftovers += 1 }
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
        // The commit after the last one that returned may be in the file, too.
        next = max(next, committed.last.map { $0 + 2 } ?? 0)
    }

    private mutating func checkFile() throws {
        if try !file.folder.leftovers().isEmpty { counts.killsWithLeftovers += 1 }
        guard let values = try? file.values() else {
            counts.incomplete += 1
            return
        }
        counts.missing += committed.count { values["own_\($0)"]?.int != $0 }
        // Updates before a commit are saved with it; before the first commit there were none.
        if hasUpdated, let last = committed.last, (values["latest"]?.int ?? 0) < last { counts.missing += 1 }
    }
}
