import Locking
import SessionMirror
import TestSupport
import Testing

@Suite("The cost of a change with many subscribers") struct EvaluationTests {
    private struct Call: Hashable {
        let subscriber: Int
        let old: Int
        let new: Int
    }

    @Test("A change evaluates each of 100 key paths once and calls only the subscribers of the changed value")
    func fanOut() throws {
        let folder = try TemporaryFolder()
        var panel = CountingValue(Array(0..<100))
        try folder.write("panel.json", panel.text)
        let session = try Session(panel, at: folder.path(of: "panel.json"))
        let calls = Received<Call>()
        let tokens = (0..<10_000).map { subscriber in
            session.observe(\.[lamp: subscriber % 100], on: .custom { $0() }) { change in
                calls.add(Call(subscriber: subscriber, old: change.old, new: change.new))
            }
        }
        #expect(calls.count == 0)

        CountingValue.evaluations.withLock { $0 = 0 }
        var expected: Set<Call> = []
        for lamp in [7, 8, 93, 0, 50] {
            panel = panel.replacing(lamp: lamp, by: lamp + 1_000)
            try folder.write("new", panel.text)
            try folder.rename("new", to: "panel.json")
            for subscriber in stride(from: lamp, to: 10_000, by: 100) {
                expected.insert(Call(subscriber: subscriber, old: lamp, new: lamp + 1_000))
            }
            eventually("the subscribers of lamp \(lamp) are called") { calls.count >= expected.count }
        }
        try waitForProblem(of: session) { try folder.write("panel.json", "{") }
        #expect(CountingValue.evaluations.withLock { $0 } == 5 * 100)
        #expect(calls.count == expected.count)
        #expect(Set(calls.items) == expected)
        withExtendedLifetime(tokens) {}
    }

    /// Waits until all earlier changes are delivered, because reports follow them.
    private func waitForProblem(of session: Session<CountingValue>, after breakingTheFile: () throws -> Void) rethrows {
        let problems = Received<SessionProblem>()
        let token = session.mirror.observe { if case .problem(let problem) = $0 { problems.add(problem) } }
        try breakingTheFile()
        eventually("the problem is reported") { problems.count == 1 }
        withExtendedLifetime(token) {}
    }
}
