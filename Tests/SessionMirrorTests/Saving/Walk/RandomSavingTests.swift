import Glibc
import TestSupport
import Testing

@testable import SessionMirror

/// Long orders of events of saving, and jobs done as it happens.
@Suite("Random orders of events of saving") struct RandomSavingTests {
    /// For each seed; `make torture-state` takes more.
    static let count = getenv("SESSIONMIRROR_ORDERS") == nil ? usual : 50_000
    private static let usual = Thoroughness.isFull ? 2_000 : 100
    static let length = 60
    static let seeds: [UInt64] = [1, 2, 3, .random(in: 1_000...999_999_999)]

    @Test("memory and file agree, and nothing is lost without a word", arguments: seeds)
    func walk(seed: UInt64) {
        for number in 0..<Self.count {
            let start = RandomOrder.Start(
                isMissing: number % 5 == 0, isMemoryRight: number % 3 == 0, program: number % 2 == 0 ? .json : .typed)
            var order = RandomOrder(seed: seed &* 1_000_003 &+ UInt64(number), start: start)
            let steps = order.steps(Self.length)
            if RandomOrder.complaints(after: steps, start: start).isEmpty { continue }
            let shortest = RandomOrder.shortest(steps, start: start)
            let complaints = RandomOrder.complaints(after: shortest, start: start)
            Issue.record("seed \(seed), order \(number), \(start): \(shortest): \(complaints)")
        }
    }
}

/// Events with what is done of the jobs after each.
struct RandomOrder: RandomNumberGenerator {
    struct Step: CustomStringConvertible {
        let event: SavingEvent
        let pace: SavingPace

        var description: String { "\(event.rawValue) \(pace.rawValue)" }
    }

    struct Start: CustomStringConvertible {
        let isMissing: Bool
        let isMemoryRight: Bool

        let program: PretendedProgram

        var world: SavingWorld {
            SavingWorld(isMissing: isMissing, policy: isMemoryRight ? .memoryWins : .fileWins, program: program)
        }

        var description: String {
            "\(program), " + (isMissing ? "no file" : "a file") + (isMemoryRight ? ", memory is right" : "")
        }
    }

    private let start: Start
    private var state: UInt64

    init(seed: UInt64, start: Start) { (state, self.start) = (seed, start) }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let (high, low) = (state ^ state >> 29).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }

    mutating func steps(_ length: Int) -> [Step] {
        var world = start.world
        return (0..<length).map { _ in
            var event = SavingEvent.allCases.randomElement(using: &self)!
            // Closing ends it all, so it comes seldom.
            while !world.canHappen(event) || event == .close && Int.random(in: 0..<4, using: &self) > 0 {
                event = SavingEvent.allCases.randomElement(using: &self)!
            }
            let step = Step(event: event, pace: SavingPace.allCases.randomElement(using: &self)!)
            world.happen(step.event, at: step.pace)
            return step
        }
    }

    /// Judged at the end, and now and then before.
    static func complaints(after steps: [Step], start: Start) -> [String] {
        var world = start.world
        for (index, step) in steps.enumerated() where world.canHappen(step.event) {
            world.happen(step.event, at: step.pace)
            if index % 10 == 9 || index == steps.count - 1 {
                let complaints = world.verdict()
                if !complaints.isEmpty { return complaints }
            }
        }
        return world.verdict()
    }

    /// The same trouble with nothing in it that is not needed.
    static func shortest(_ steps: [Step], start: Start) -> [Step] {
        var shortest = steps
        var index = 0
        while index < shortest.count {
            var shorter = shortest
            shorter.remove(at: index)
            if complaints(after: shorter, start: start).isEmpty { index += 1 } else { shortest = shorter }
            if index == shortest.count, shortest.count < steps.count, shortest.count > 1 {
                // Removing later ones can make earlier ones needless.
                let again = Self.onceMore(shortest, start: start)
                if again.count < shortest.count { (shortest, index) = (again, 0) }
            }
        }
        return shortest
    }

    private static func onceMore(_ steps: [Step], start: Start) -> [Step] {
        for index in steps.indices {
            var shorter = steps
            shorter.remove(at: index)
            if !complaints(after: shorter, start: start).isEmpty { return shorter }
        }
        return steps
    }
}
