import Locking
import Testing

@testable import FileWatching

@Suite struct PolledPathTests {
    private struct Look: PolledLook {
        var version = 1
        var isMadeUp = false
        var blindness: Int64 = 20

        static func == (a: Self, b: Self) -> Bool { a.version == b.version }
    }

    private static let interval: Int64 = 32 * 5_000_000
    private var path = PolledPath<Look>("/a", Moment(nanoseconds: 0), interval: interval)

    /// Takes the same look whenever it is due, and returns when it was news, from `begin` to `end`.
    private mutating func news(_ look: Look, from begin: Int64, to end: Int64) -> [Int64] {
        var (news, now) = ([Int64](), begin)
        while now <= end {
            if path.take(look, Moment(nanoseconds: now)) { news.append(now) }
            now = path.due.nanoseconds
        }
        return news
    }

    @Test("the first look is news, and once more when its times can be trusted")
    mutating func first() {
        #expect(path.due.nanoseconds == 0)
        let told = news(Look(), from: 3, to: 20 * Self.interval)
        #expect(told == [3, 5_000_000])
    }

    @Test("another look is news, and the one after the doubtful time; one more change within that time is too")
    mutating func change() {
        _ = news(Look(), from: 0, to: 3 * Self.interval)
        let begin = 10 * Self.interval
        let isNews = path.take(Look(version: 2, blindness: 12_000_000), Moment(nanoseconds: begin))
        let second = begin + 5_000_000
        #expect(path.due.nanoseconds == second)
        let isNewsAgain = path.take(Look(version: 3, blindness: 12_000_000), Moment(nanoseconds: second))
        #expect(isNews && isNewsAgain)
        let told = news(Look(version: 3, blindness: 12_000_000), from: path.due.nanoseconds, to: 20 * Self.interval)
        #expect(told.count == 1 && told[0] >= second + 12_000_000)
    }

    @Test("after a change it is looked at a thirty-second of the interval later, then less and less often")
    mutating func pace() {
        _ = news(Look(), from: 0, to: 9 * Self.interval)
        var now = 10 * Self.interval
        _ = path.take(Look(version: 2), Moment(nanoseconds: now))
        var pauses: [Int64] = []
        for _ in 0..<9 {
            pauses.append((path.due.nanoseconds - now) / 5_000_000)
            now = path.due.nanoseconds
            _ = path.take(Look(version: 2), Moment(nanoseconds: now))
        }
        // The first pause of each length may be shorter, so that all paths of one pace are looked at together.
        #expect(pauses.max() == 32 && pauses.first == 1 && zip(pauses, pauses.dropFirst()).allSatisfy { 2 * $0 >= $1 })
        #expect(path.due.nanoseconds % Self.interval == 0)
    }

    @Test("what the kernel makes up may always be news")
    mutating func madeUp() {
        let told = news(Look(isMadeUp: true), from: 0, to: 100 * Self.interval)
        #expect(told.count > 100)
    }

    @Test("paths that rest are looked at together")
    func together() {
        var a = PollingPace(interval: 1000)
        var b = a
        a.slowDown()
        b.slowDown()
        #expect(a.next(after: Moment(nanoseconds: 1234)) == b.next(after: Moment(nanoseconds: 1999)))
    }
}
