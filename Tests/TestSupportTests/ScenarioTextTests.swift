import TestSupport
import Testing

@Suite("Parsing scenarios")
struct ScenarioTextTests {
    @Test("The keywords of a scenario are parsed in order") func reading() throws {
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
        #expect(scenario.needs == [.program(.sed), .otherFileSystem])
        #expect(scenario.file == "a/b.json")
        #expect(!scenario.isRelative)
        #expect(scenario.before == "true")
        #expect(scenario.steps[1] == .run("\ntwo\n  three"))
        #expect(scenario.steps[3] == .expect(.problem(code: "syntax", location: "1:6")))
        #expect(scenario.unrolledSteps.map(\.number) == [nil, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    }

    @Test("The keywords for watches are parsed") func watching() throws {
        let text = """
            scenario: of a watch
            needs: namespace
            relative: a
                b
            held: true
            events:
                name server.json MOVED_FROM CREATE
                file server.json MODIFY
            silent: date
            expect: polling
            expect: live
            after: umount a
            """
        let scenario = try #require(try Scenario.parse(text).first)
        #expect(scenario.needs(.namespace))
        #expect(scenario.file == "a\nb")
        #expect(scenario.isRelative)
        #expect(
            scenario.steps == [
                .held("true"),
                .events([
                    InotifyLine(.name, "server.json", ["MOVED_FROM", "CREATE"]),
                    InotifyLine(.file, "server.json", ["MODIFY"]),
                ]), .silent("date"), .expect(.polling), .expect(.live),
            ])
        #expect(scenario.after == "umount a")
    }

    @Test(
        "A malformed scenario is an error",
        arguments: [
            "run: x", "scenario: x\nrum: x", "scenario: x\nexpect: luck", "scenario: x\nneeds: luck", "x",
            "scenario: x\nevents:", "scenario: x\nevents: server.json MODIFY", "scenario: x\nevents: file server.json",
        ])
    func mistakes(_ text: String) {
        #expect(throws: TestSupportError.self) { try Scenario.parse(text) }
    }

    @Test("Normalizing events merges equal consecutive kinds and drops unexpected names")
    func normalized() {
        let expected = [InotifyLine(.name, "a", ["CREATE"])]
        let received = [
            InotifyLine(.file, "a", ["MODIFY"]), InotifyLine(.file, "a", ["MODIFY"]),
            InotifyLine(.file, "a", ["CLOSE_WRITE"]), InotifyLine(.name, "sed8a6", ["CREATE"]),
            InotifyLine(.file, "a", ["MODIFY"]), InotifyLine(.file, "a", ["IGNORED"]),
            InotifyLine(.name, "a", ["CREATE"]), InotifyLine(.file, "b", ["ATTRIB"]),
        ]
        #expect(
            InotifyLine.normalized(received, expected: expected).map(\.description) == [
                "file a MODIFY CLOSE_WRITE MODIFY", "name a CREATE", "file b ATTRIB",
            ])
    }
}
