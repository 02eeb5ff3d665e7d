import TestSupport
import Testing

@Suite("Scenarios of real programs") struct ScenarioTests {
    @Test("A session follows the edits of a real program", arguments: try Scenario.all())
    func scenario(_ scenario: Scenario) throws {
        try scenario.needs.require(for: scenario.name)
        try ScenarioRun(scenario).play()
    }

    @Test("Scenarios have unique names, and each expects a value") func all() throws {
        let scenarios = try Scenario.all()
        print("\(scenarios.count) scenarios")
        if Scenario.areAllSelected {
            #expect(try scenarios.count + Scenario.watchOnly().count == Scenario.countInFiles())
        }
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
        for scenario in scenarios {
            #expect(
                scenario.steps.contains { if case .expect(.value) = $0 { true } else { false } }, "\(scenario.name)")
        }
    }
}
