import TestSupport
import Testing

/// The long-term costs of a watch, in a separate process. `make torture-year` makes as many edits as a year may bring.
@Suite("Endurance of one watch", .serialized) struct EnduranceTests {
    /// After so many replacements libinotifytools has enough stale records for a restart. Measurements at the same
    /// point of a lap are comparable.
    private static let lap = 1_001
    /// `make torture-year` makes a hundred laps: 100,000 replacements and a million events of writes.
    private static let laps = 2 * lapsInHalf
    private static let lapsInHalf = max(1, (environmentNumber("SESSIONMIRROR_LAPS") ?? usual) / 2)
    private static let usual = Sanitizer.isActive ? 2 : 4
    private static let replacements = laps * lap

    #if InotifyTools
    private static let backends = ["inotifyTools", "kernelInotify"]
    #else
    private static let backends = ["kernelInotify"]
    #endif

    @Test(
        "A long series of edits loses no change and does not increase memory, descriptors or kernel watches",
        arguments: backends)
    func endurance(backend: String) throws {
        var run = try EnduranceRun(backend: backend)
        try run.edit(replacements: 2 * Self.lap)
        let start = try run.report()
        try run.edit(replacements: Self.lapsInHalf * Self.lap)
        let middle = try run.report()
        try run.edit(replacements: Self.lapsInHalf * Self.lap)
        let end = try settled(run, like: start)
        show(backend, [start, middle, end])

        #expect(try run.content == run.lastRead)
        #expect(end["overflows"] == 0)
        let restarts = end["restarts"] - start["restarts"]
        expect(restarts, backend)
        // Events that were pending at a restart are dropped, but the changes are reported. The same is true of events
        // of a new file that has the inode number of a deleted one, until the kernel has reported the deletion.
        let arrived = end["ofContent"] - start["ofContent"]
        let made = 2 * EnduranceRun.editsInPlace * Self.replacements
        #expect(arrived >= made - made / 20 - 2 * EnduranceRun.editsInPlace * restarts)
        // A program that another test starts inherits the open file until its exec, and may then be the last to close
        // it.
        #expect(arrived <= made + made / 100)

        // At the start one may have been open for a moment, for example to read the mounts.
        #expect(end["descriptors"] <= start["descriptors"])
        #expect(end["watches"] == start["watches"])
        #expect(end["kernelList"] == end["watches"])
        expectNoGrowth(middle, end)
        let result = try run.end()
        #expect(result.code == 0 && result.messages == "")
    }

    /// The watch of a file that has just been replaced may remain for a moment.
    private func settled(_ run: EnduranceRun, like start: EnduranceRun.Report) throws -> EnduranceRun.Report {
        var report = try run.report()
        try eventually("as many watches as before") {
            report = try run.report()
            return report["watches"] == start["watches"] && report["kernelList"] == report["watches"]
        }
        return report
    }

    /// The library's records of deleted files are dropped when there are a thousand; the kernel keeps none.
    private func expect(_ restarts: Int, _ backend: String) {
        let expected = backend == "inotifyTools" ? Self.laps : 0
        // A restart sometimes drops the end of a watch, so that the next lap begins one replacement later.
        #expect(abs(restarts - expected) <= (expected == 0 ? 0 : 1))
    }
}

extension EnduranceTests {
    /// Half of the smallest malloc block per replacement: any leak per replacement exceeds that.
    /// In addition malloc may keep some unused pages.
    private func expectNoGrowth(_ middle: EnduranceRun.Report, _ end: EnduranceRun.Report) {
        if Sanitizer.isActive { return }
        let limit = Self.replacements / 2 * 12
        #expect(end["allocatedBytes"] - middle["allocatedBytes"] < limit)
        #expect(end["residentBytes"] - middle["residentBytes"] < limit + (256 << 10))
    }

    private func show(_ backend: String, _ reports: [EnduranceRun.Report]) {
        let events = 2 * EnduranceRun.editsInPlace * Self.replacements
        print("\n\(backend): \(Self.replacements) replacements, \(events) events of edits in place")
        let rows = reports[0].names.map { name in [name] + reports.map { "\($0[name])" } }
        for row in [["", "start", "middle", "end"]] + rows { print(Self.aligned(row)) }
    }

    private static func aligned(_ row: [String]) -> String {
        let cells = row.map { String(repeating: " ", count: max(0, 16 - $0.count)) + $0 }
        return cells.joined()
    }
}
