import TestSupport
import Testing

@Suite("Random steps of sessions, in part and in full") struct RandomStepsTests {
    private static let stepsOfSession = 100
    private static let steps = environmentNumber("SESSIONMIRROR_STEPS") ?? (Thoroughness.isFull ? 4_000 : 800)
    private static let sessions = max(1, steps / SeededGenerator.seeds.count / stepsOfSession)

    @Test(
        "Edits, updates, reloads, saves and commits of random types lead to the same if all is parsed and coded each time",
        arguments: SeededGenerator.seeds)
    func same(seed: UInt64) throws {
        func start(_ environment: [String: String]) throws -> (folder: TemporaryFolder, program: RunningProgram) {
            let folder = try TemporaryFolder()
            let numbers = [Int(seed) * 1_000_000, Self.sessions, Self.stepsOfSession].map(String.init)
            let arguments = ["steps"] + numbers
            return (folder, try Program.built("StepProbe").start(arguments, in: folder, environment: environment))
        }
        let (part, full) = (try start([:]), try start(["SESSIONMIRROR_IN_FULL": "1"]))
        var last = ""
        // A session of a large type takes half a minute of processor time under the thread sanitizer.
        let limit = Duration.patience * 5
        for _ in 0...Self.sessions {
            last = try #require(try part.program.line(within: limit))
            let expected = try #require(try full.program.line(within: limit))
            #expect(last == expected, "StepProbe steps \(expected.prefix { $0 != "," }) 1 \(Self.stepsOfSession)")
        }
        #expect(try part.program.end().code == 0 && full.program.end().code == 0)
        // Enough of each kind for the comparison to mean something. A few sessions of a random seed may have hardly any
        // merges.
        let counts = last.split(separator: ", ").compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        let steps = Self.sessions * Self.stepsOfSession
        #expect(counts.count == 3 && counts.reduce(0, +) >= steps / 100, "\(last)")
        let isRandom = seed == SeededGenerator.seeds.last
        #expect(counts.allSatisfy { $0 >= steps / (isRandom ? 1_000 : 100) }, "\(last)")
    }
}
