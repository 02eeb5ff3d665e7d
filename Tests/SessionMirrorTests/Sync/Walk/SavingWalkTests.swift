import TestSupport
import Testing

@testable import SessionMirror

/// Checks the guarantees after every sequence of events while a session saves.
@Suite("All sequences of saving events", .enabled(if: !Sanitizer.findsRaces, "nothing here is concurrent"))
struct SavingWalkTests {
    struct Setup: Sendable, CustomStringConvertible {
        let pace: SavingPace
        let isMissing: Bool

        var description: String { "\(pace.rawValue), with \(isMissing ? "no file" : "a file") at first" }

        static let all = SavingPace.allCases.flatMap { pace in [false, true].map { Setup(pace: pace, isMissing: $0) } }
    }

    /// The length of the sequences; `make torture-state` takes more.
    static func longest(_ setup: Setup) -> Int {
        if let longest = Thoroughness.longest { return longest }
        if Thoroughness.isFull { return 4 }
        // The configuration with the most interactions; all of them would take too long.
        return setup.pace == .overtaken && !setup.isMissing ? 4 : 3
    }

    @Test("Memory and file agree and every loss is reported after every short sequence of events", arguments: Setup.all)
    func walk(_ setup: Setup) {
        let (longest, kinds) = (Self.longest(setup), setup.pace.events.count)
        var walk = SavingWalk(setup: setup)
        let begin = ContinuousClock.now
        walk.extend(SavingSimulation(isMissing: setup.isMissing), left: longest, order: [])
        var (all, last) = (0, 1)
        for _ in 1...longest {
            last *= kinds
            all += last
        }
        #expect(walk.walked + walk.skipped == all)
        #expect(walk.walked > all / 100)
        print(
            "\(setup): \(walk.walked) of \(all) sequences of up to \(longest) events, in \(ContinuousClock.now - begin)"
        )
    }
}

/// Explores all sequences. A sequence with an impossible event equals the one without it, and is skipped.
struct SavingWalk {
    let setup: SavingWalkTests.Setup
    private(set) var walked = 0
    private(set) var skipped = 0
    private var failures = 0

    init(setup: SavingWalkTests.Setup) { self.setup = setup }

    mutating func extend(_ simulation: SavingSimulation, left: Int, order: [SavingEvent]) {
        guard left > 0 else { return }
        for event in setup.pace.events {
            if !simulation.isPossible(event) {
                skipped += 1
                skip(left - 1)
                continue
            }
            var next = simulation
            next.handle(event, at: setup.pace)
            walked += 1
            let violations = next.violationsWhenSettled()
            if !violations.isEmpty { fail(order + [event], violations) }
            // A failure would be reported again for every longer sequence.
            if violations.isEmpty { extend(next, left: left - 1, order: order + [event]) } else { skip(left - 1) }
        }
    }

    private mutating func skip(_ left: Int) {
        var orders = 1
        for _ in 0..<left {
            orders *= setup.pace.events.count
            skipped += orders
        }
    }

    private mutating func fail(_ order: [SavingEvent], _ violations: [String]) {
        failures += 1
        if failures > 20 { return }
        Issue.record("\(setup): \(order.map(\.rawValue).joined(separator: ", ")): \(violations)")
    }
}
