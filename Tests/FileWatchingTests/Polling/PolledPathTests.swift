import Locking
import Testing

@testable import FileWatching

@Suite struct PolledPathTests {
    private struct Sample: PollSample {
        var version = 1
        var isSynthetic = false
        var timestampGranularity: Int64 = 20

        static func == (a: Self, b: Self) -> Bool { a.version == b.version }
    }

    private static let interval: Int64 = 32 * 5_000_000
    private var path = PolledPath<Sample>("/a", Instant(nanoseconds: 0), interval: interval)

    /// Records the same sample whenever it is due, and returns when it was reported, from `begin` to `end`.
    private mutating func reports(_ sample: Sample, from begin: Int64, to end: Int64) -> [Int64] {
        var (reports, now) = ([Int64](), begin)
        while now <= end {
            if path.record(sample, Instant(nanoseconds: now)) { reports.append(now) }
            now = path.due.nanoseconds
        }
        return reports
    }

    @Test("The first sample is a change, and another one follows when its timestamps are certain")
    mutating func first() {
        #expect(path.due.nanoseconds == 0)
        let times = reports(Sample(), from: 3, to: 20 * Self.interval)
        #expect(times == [3, 5_000_000])
    }

    @Test("A different sample is a change, also while timestamps are uncertain, and another one follows")
    mutating func change() {
        _ = reports(Sample(), from: 0, to: 3 * Self.interval)
        let begin = 10 * Self.interval
        let isReported = path.record(Sample(version: 2, timestampGranularity: 12_000_000), Instant(nanoseconds: begin))
        let second = begin + 5_000_000
        #expect(path.due.nanoseconds == second)
        let isReportedAgain = path.record(
            Sample(version: 3, timestampGranularity: 12_000_000), Instant(nanoseconds: second))
        #expect(isReported && isReportedAgain)
        let times = reports(
            Sample(version: 3, timestampGranularity: 12_000_000), from: path.due.nanoseconds, to: 20 * Self.interval)
        #expect(times.count == 1 && times[0] >= second + 12_000_000)
    }

    @Test("After a change a path is checked at increasing intervals")
    mutating func pace() {
        _ = reports(Sample(), from: 0, to: 9 * Self.interval)
        var now = 10 * Self.interval
        _ = path.record(Sample(version: 2), Instant(nanoseconds: now))
        var pauses: [Int64] = []
        for _ in 0..<9 {
            pauses.append((path.due.nanoseconds - now) / 5_000_000)
            now = path.due.nanoseconds
            _ = path.record(Sample(version: 2), Instant(nanoseconds: now))
        }
        // The first delay of each length may be shorter, so that all paths with one delay are checked together.
        #expect(pauses.max() == 32 && pauses.first == 1 && zip(pauses, pauses.dropFirst()).allSatisfy { 2 * $0 >= $1 })
        #expect(path.due.nanoseconds % Self.interval == 0)
    }

    @Test("Each sample of a generated file is a change")
    mutating func generated() {
        let times = reports(Sample(isSynthetic: true), from: 0, to: 100 * Self.interval)
        #expect(times.count > 100)
    }

    @Test("Unchanged paths are checked together")
    func together() {
        var a = PollingBackoff(interval: 1000)
        var b = a
        a.increase()
        b.increase()
        #expect(a.next(after: Instant(nanoseconds: 1234)) == b.next(after: Instant(nanoseconds: 1999)))
    }
}
