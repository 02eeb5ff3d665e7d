import Testing

@Suite("A process that is killed while it replaces a file", .serialized)
struct KillTortureTests {
    @Test("leaves a complete file that holds all that returned, and nothing that is not cleared away")
    func alone() throws {
        let counts = try run(beside: nil)
        #expect(counts.missing == 0)
    }

    @Test("takes nothing with it of what somebody writes who keeps the file open") func besideHolder() throws {
        let counts = try run(beside: .hold)
        #expect(counts.missing == 0)
        #expect(counts.foreignMissing == 0)
    }

    /// Who is killed right after an exchange leaves the new version for all to see, and an edit of the old one beside it:
    /// its own writer can read the new version, and save that over the edit when it is back. One in 12,389 did.
    @Test("takes hardly anything with it of what somebody writes who empties the file first")
    func besideTruncater() throws {
        let counts = try run(beside: .truncate)
        #expect(counts.foreignMissing <= max(1, counts.foreign / 1_000))
    }

    /// The same, and more often: between an exchange and its being taken back another program can read the new version
    /// and rename its own file over it, twice.
    @Test("takes hardly anything with it of what somebody writes who renames files over it")
    func besideRenamer() throws {
        let counts = try run(beside: .rename)
        #expect(counts.foreignMissing <= max(3, counts.foreign / 200))
    }

    private func run(beside foreigner: Foreigner?) throws -> KillRun.Counts {
        var run = try KillRun(beside: foreigner)
        try run.kill(Amount.kills)
        let counts = run.counts
        print("killed beside \(foreigner?.rawValue ?? "nobody"): \(counts)")
        #expect(counts.kills == Amount.kills)
        if counts.kills >= 200 { #expect(counts.untidyKills > 0, "nobody was killed in the middle") }
        #expect(counts.untidyRecoveries == 0)
        #expect(counts.incomplete == 0)
        #expect(counts.returned > counts.kills / 2)
        if foreigner != nil { #expect(counts.foreign > 0) }
        return counts
    }
}
