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
        #expect(scenarios.count == 76)
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
        for scenario in scenarios {
            #expect(
                scenario.steps.contains { if case .expect(.value) = $0 { true } else { false } }, "\(scenario.name)")
        }
    }

    @Test("a scenario is read from its text") func reading() throws {
        let text = """
            # A comment.

            scenario: a name: with a colon
            needs: sed tmpfs
            file: a/b.json
            before: true
            run: one
            for N in 2 4
            run:
                two
                  three
            expect: { "port": $N }
            expect: problem syntax 1:6
            """
        let scenario = try #require(try Scenario.parse(text).first)
        #expect(scenario.name == "a name: with a colon")
        #expect(scenario.needs.count == 2)
        #expect(scenario.file == "a/b.json")
        #expect(scenario.before == "true")
        #expect(scenario.steps[1] == .run("\ntwo\n  three"))
        #expect(scenario.steps[3] == .expect(.problem(code: "syntax", place: "1:6")))
        #expect(scenario.course.map(\.number) == [nil, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    }

    @Test(
        "a scenario that says what nobody knows is no scenario",
        arguments: ["run: x", "scenario: x\nrum: x", "scenario: x\nexpect: luck", "scenario: x\nneeds: luck", "x"])
    func mistakes(_ text: String) {
        #expect(throws: SystemRefusal.self) { try Scenario.parse(text) }
    }
}
