import TestSupport
import Testing

@Suite("Real programs and a session") struct ScenarioTests {
    @Test("what the program writes is what the session holds", arguments: try Scenario.all())
    func scenario(_ scenario: Scenario) throws {
        try scenario.needs.require(for: scenario.name)
        try ScenarioRun(scenario).play()
    }

    @Test("all scenarios are there, each under a name of its own, and each expects something") func all() throws {
        let scenarios = try Scenario.all()
        print("\(scenarios.count) scenarios")
        #expect(scenarios.count == 109)
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
        for scenario in scenarios {
            #expect(
                scenario.steps.contains { if case .expect(.value) = $0 { true } else { false } }, "\(scenario.name)")
        }
    }
}
