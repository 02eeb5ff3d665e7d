import Glibc
import TestSupport
import Testing

@testable import SessionMirror

/// Every order of what can happen while a session saves, against its promises.
@Suite("Every order of events of saving") struct SavingWalkTests {
    struct Way: Sendable, CustomStringConvertible {
        let pace: SavingPace
        let isMissing: Bool

        var description: String { "\(pace.rawValue), with \(isMissing ? "no file" : "a file") at first" }

        static let all = SavingPace.allCases.flatMap { pace in [false, true].map { Way(pace: pace, isMissing: $0) } }
    }

    /// How long the orders are; `make torture-state` says more.
    static func longest(_ way: Way) -> Int {
        if let longest = getenv("SESSIONMIRROR_ORDERS").flatMap({ Int(String(cString: $0)) }) { return longest }
        if Thoroughness.isFull { return 4 }
        // The way in which most can meet; all of them would take too long.
        return way.pace == .overtaken && !way.isMissing ? 4 : 3
    }

    @Test("memory and file agree, and nothing is lost without a word", arguments: Way.all)
    func walk(_ way: Way) {
        let (longest, kinds) = (Self.longest(way), way.pace.events.count)
        var walk = SavingWalk(way: way)
        let begin = ContinuousClock.now
        walk.extend(SavingWorld(isMissing: way.isMissing), left: longest, order: [])
        var (all, last) = (0, 1)
        for _ in 1...longest {
            last *= kinds
            all += last
        }
        #expect(walk.walked + walk.skipped == all)
        #expect(walk.walked > all / 100)
        print("\(way): \(walk.walked) of \(all) orders of up to \(longest), in \(ContinuousClock.now - begin)")
    }
}

/// A walk through all orders. One in which something cannot happen is the same as that without it, and not walked.
struct SavingWalk {
    let way: SavingWalkTests.Way
    private(set) var walked = 0
    private(set) var skipped = 0
    private var failures = 0

    init(way: SavingWalkTests.Way) { self.way = way }

    mutating func extend(_ world: SavingWorld, left: Int, order: [SavingEvent]) {
        guard left > 0 else { return }
        for event in way.pace.events {
            if !world.canHappen(event) {
                skipped += 1
                skip(left - 1)
                continue
            }
            var next = world
            next.happen(event, at: way.pace)
            walked += 1
            let complaints = next.verdict()
            if !complaints.isEmpty { fail(order + [event], complaints) }
            // What is wrong already would be told again and again.
            if complaints.isEmpty { extend(next, left: left - 1, order: order + [event]) } else { skip(left - 1) }
        }
    }

    private mutating func skip(_ left: Int) {
        var orders = 1
        for _ in 0..<left {
            orders *= way.pace.events.count
            skipped += orders
        }
    }

    private mutating func fail(_ order: [SavingEvent], _ complaints: [String]) {
        failures += 1
        if failures > 20 { return }
        Issue.record("\(way): \(order.map(\.rawValue).joined(separator: ", ")): \(complaints)")
    }
}
