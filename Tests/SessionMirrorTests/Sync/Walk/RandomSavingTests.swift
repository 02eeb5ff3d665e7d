import TestSupport
import Testing

@testable import SessionMirror

/// Long random sequences of saving events, with jobs at random times.
@Suite("Random sequences of saving events", .enabled(if: !Sanitizer.findsRaces, "nothing here is concurrent"))
struct RandomSavingTests {
    /// The number of sequences per seed; `make torture-state` takes more.
    static let count = Thoroughness.longest == nil ? usual : 15_000
    private static let usual = Thoroughness.isFull ? 500 : 100
    static let length = 60

    @Test(
        "Memory and file agree and every loss is reported after random sequences of events",
        arguments: SeededGenerator.seeds)
    func walk(seed: UInt64) {
        for number in 0..<Self.count {
            let start = SavingSequence.Start(
                isMissing: number % 5 == 0, doesMemoryWin: number % 3 == 0, program: number % 2 == 0 ? .json : .typed)
            var random = SeededGenerator(seed &* 1_000_003 &+ UInt64(number))
            let sequence = SavingSequence.random(start: start, length: Self.length, using: &random)
            if sequence.violations().isEmpty { continue }
            let shortest = sequence.minimized()
            Issue.record("seed \(seed), sequence \(number): \(shortest): \(shortest.violations())")
        }
    }
}

extension RandomSavingTests {
    /// Found by `make torture-state`.
    @Test(
        "A commit that an update was built on may lose a conflict, which is reported, and is published once",
        arguments: [
            (
                false,
                [
                    (.commit, .prompt), (.second, .prompt), (.commit, .overtaken), (.staleSave, .slow),
                    (.update, .slow),
                ]
            ),
            (
                true,
                [
                    (.holdOpenShared, .slow), (.update, .calm), (.commit, .overtaken), (.end, .slow),
                    (.editShared, .slow), (.update, .prompt),
                ]
            ),
        ] as [(Bool, [(SavingEvent, SavingPace)])])
    func updateOfCommit(isMissing: Bool, steps: [(SavingEvent, SavingPace)]) {
        let start = SavingSequence.Start(isMissing: isMissing, doesMemoryWin: false, program: .typed)
        let sequence = SavingSequence(start: start, steps: steps.map { .init(event: $0.0, pace: $0.1) })
        #expect(sequence.violations() == [])
    }
}

/// A sequence of events, each with the job steps after it.
struct SavingSequence: CustomStringConvertible {
    struct Step: CustomStringConvertible {
        let event: SavingEvent
        let pace: SavingPace

        var description: String { "\(event.rawValue) \(pace.rawValue)" }
    }

    struct Start: CustomStringConvertible {
        let isMissing: Bool
        let doesMemoryWin: Bool
        let program: SimulatedProgram

        var simulation: SavingSimulation {
            SavingSimulation(isMissing: isMissing, policy: doesMemoryWin ? .memoryWins : .fileWins, program: program)
        }

        var description: String {
            "\(program), " + (isMissing ? "no file" : "a file") + (doesMemoryWin ? ", memory wins" : "")
        }
    }

    let start: Start
    private(set) var steps: [Step]

    var description: String { "\(start): \(steps)" }

    static func random(start: Start, length: Int, using random: inout SeededGenerator) -> SavingSequence {
        var simulation = start.simulation
        let steps = (0..<length).map { _ in
            var event = random.pick(SavingEvent.allCases)
            // Closing ends the sequence, so it is rare.
            while !simulation.isPossible(event) || event == .close && !random.chance(25) {
                event = random.pick(SavingEvent.allCases)
            }
            let step = Step(event: event, pace: random.pick(SavingPace.allCases))
            simulation.handle(step.event, at: step.pace)
            return step
        }
        return SavingSequence(start: start, steps: steps)
    }

    /// The broken guarantees, checked at the end and after every ten events.
    func violations() -> [String] {
        var simulation = start.simulation
        for (index, step) in steps.enumerated() where simulation.isPossible(step.event) {
            simulation.handle(step.event, at: step.pace)
            if index % 10 == 9 || index == steps.count - 1 {
                let violations = simulation.violationsWhenSettled()
                if !violations.isEmpty { return violations }
            }
        }
        return simulation.violationsWhenSettled()
    }

    /// A part of the sequence that also fails, but not without any one of its steps.
    func minimized() -> SavingSequence {
        var shortest = self
        while let shorter = shortest.withoutOneStep() { shortest = shorter }
        return shortest
    }

    private func withoutOneStep() -> SavingSequence? {
        for index in steps.indices {
            var shorter = self
            shorter.steps.remove(at: index)
            if !shorter.violations().isEmpty { return shorter }
        }
        return nil
    }
}
