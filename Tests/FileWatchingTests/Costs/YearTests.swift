import Glibc
import TestSupport
import Testing

/// What a watch costs in the long run, in a process of its own. `make torture-year` takes a whole year.
@Suite("A year of edits through one watch", .serialized) struct YearTests {
    /// So many replacements make as many records of libinotifytools stale as it takes to start over. What is measured at
    /// the same point of a lap is comparable.
    private static let lap = 1_001
    /// A year has a hundred: 100,000 replacements and a million events of what is in the file.
    private static let laps = 2 * lapsInHalf
    private static let lapsInHalf = max(1, (number("SESSIONMIRROR_LAPS") ?? 4) / 2)
    private static let replacements = laps * lap

    #if InotifyTools
    private static let ways = ["inotifyTools", "kernelInotify"]
    #else
    private static let ways = ["kernelInotify"]
    #endif

    @Test("loses nothing, and takes no more memory, descriptors and kernel watches at its end", arguments: ways)
    func year(way: String) throws {
        var year = try Year(way: way)
        try year.live(replacements: 2 * Self.lap)
        let start = try year.report()
        try year.live(replacements: Self.lapsInHalf * Self.lap)
        let middle = try year.report()
        try year.live(replacements: Self.lapsInHalf * Self.lap)
        let end = try settled(year, like: start)
        show(way, [start, middle, end])

        #expect(try year.content == year.lastRead)
        #expect(end["overflows"] == 0)
        let restarts = end["restarts"] - start["restarts"]
        expect(restarts, way)
        // What was on its way when everything began anew is not told, but looked for; nor is what happens to a new file that
        // got the number of one that has just gone, until the kernel has told of that.
        let arrived = end["ofContent"] - start["ofContent"]
        let made = 2 * Year.editsInPlace * Self.replacements
        #expect(arrived >= made - made / 20 - 2 * Year.editsInPlace * restarts)
        // A program that another test starts has the new file open too until it really begins, and then closes it last.
        #expect(arrived <= made + made / 100)

        #expect(end["descriptors"] == start["descriptors"])
        #expect(end["watches"] == start["watches"])
        #expect(end["kernelList"] == end["watches"])
        expectNoGrowth(middle, end)
        let result = try year.end()
        #expect(result.code == 0 && result.messages == "")
    }

    /// The watch of a file that has just been replaced may be there a moment longer.
    private func settled(_ year: Year, like start: Year.Report) throws -> Year.Report {
        var report = try year.report()
        try eventually("as many watches as before") {
            report = try year.report()
            return report["watches"] == start["watches"] && report["kernelList"] == report["watches"]
        }
        return report
    }

    /// The library's records of files that are gone are dropped when there are a thousand; the kernel keeps none.
    private func expect(_ restarts: Int, _ way: String) {
        let expected = way == "inotifyTools" ? Self.laps : 0
        // Starting over drops the news of an end now and then, and the next lap begins one later.
        #expect(abs(restarts - expected) <= (expected == 0 ? 0 : 1))
    }
}

extension YearTests {
    /// Half of the smallest block of malloc for each replacement: whatever would be left of every one of them is more.
    /// Beside that malloc may hold some pages that it does not need.
    private func expectNoGrowth(_ middle: Year.Report, _ end: Year.Report) {
        if Sanitizer.isAtWork { return }
        let limit = Self.replacements / 2 * 12
        #expect(end["allocatedBytes"] - middle["allocatedBytes"] < limit)
        #expect(end["residentBytes"] - middle["residentBytes"] < limit + (256 << 10))
    }

    private func show(_ way: String, _ reports: [Year.Report]) {
        let events = 2 * Year.editsInPlace * Self.replacements
        print("\n\(way): \(Self.replacements) replacements, \(events) events of edits in place")
        let rows = reports[0].names.map { name in [name] + reports.map { "\($0[name])" } }
        for row in [["", "start", "middle", "end"]] + rows { print(Self.aligned(row)) }
    }

    private static func aligned(_ row: [String]) -> String {
        let cells = row.map { String(repeating: " ", count: max(0, 16 - $0.count)) + $0 }
        return cells.joined()
    }

    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
