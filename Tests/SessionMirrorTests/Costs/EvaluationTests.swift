import Locking
import SessionMirror
import TestSupport
import Testing

@Suite("What a change costs with many subscribers") struct EvaluationTests {
    private struct Heard: Hashable {
        let subscriber: Int
        let old: Int
        let new: Int
    }

    @Test("10,000 subscribers to 100 key paths: each key path is evaluated once, those of one are called")
    func fanOut() throws {
        let folder = try TemporaryFolder()
        var panel = Panel(Array(0..<100))
        try folder.write("panel.json", panel.text)
        let session = try Session(panel, at: folder.path(of: "panel.json"))
        let heard = Received<Heard>()
        let tokens = (0..<10_000).map { subscriber in
            session.observe(\.[lamp: subscriber % 100], on: .custom { $0() }) { change in
                heard.add(Heard(subscriber: subscriber, old: change.old, new: change.new))
            }
        }
        #expect(heard.count == 0)

        Panel.evaluations.withLock { $0 = 0 }
        var expected: Set<Heard> = []
        for lamp in [7, 8, 93, 0, 50] {
            panel = panel.replacing(lamp: lamp, by: lamp + 1_000)
            try folder.write("new", panel.text)
            try folder.rename("new", to: "panel.json")
            for subscriber in stride(from: lamp, to: 10_000, by: 100) {
                expected.insert(Heard(subscriber: subscriber, old: lamp, new: lamp + 1_000))
            }
            eventually("the subscribers of lamp \(lamp) are called") { heard.count >= expected.count }
        }
        try waitForProblem(of: session) { try folder.write("panel.json", "{") }
        #expect(Panel.evaluations.withLock { $0 } == 5 * 100)
        #expect(heard.count == expected.count)
        #expect(Set(heard.items) == expected)
        withExtendedLifetime(tokens) {}
    }

    /// Reports come after the changes of values before them: when this returns, those are all delivered.
    private func waitForProblem(of session: Session<Panel>, after breakingTheFile: () throws -> Void) rethrows {
        let problems = Received<Problem>()
        let token = session.mirror.observe { if case .problem(let problem) = $0 { problems.add(problem) } }
        try breakingTheFile()
        eventually("the problem is told") { problems.count == 1 }
        withExtendedLifetime(token) {}
    }
}
