import TestSupport
import Testing

@Suite("The text of a scenario")
struct ScenarioTextTests {
    @Test("is read word by word") func reading() throws {
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
        #expect(scenario.steps[3] == .expect(.problem(code: "syntax", place: "1:6")))
        #expect(scenario.course.map(\.number) == [nil, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    }

    @Test("has words that are for a watch") func watching() throws {
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
        "must not say what nobody knows",
        arguments: [
            "run: x", "scenario: x\nrum: x", "scenario: x\nexpect: luck", "scenario: x\nneeds: luck", "x",
            "scenario: x\nevents:", "scenario: x\nevents: server.json MODIFY", "scenario: x\nevents: file server.json",
        ])
    func mistakes(_ text: String) {
        #expect(throws: SystemRefusal.self) { try Scenario.parse(text) }
    }

    @Test("says what inotify tells once for each thing and kind in a row, of the names that matter")
    func normalForm() {
        let expected = [InotifyLine(.name, "a", ["CREATE"])]
        let told = [
            InotifyLine(.file, "a", ["MODIFY"]), InotifyLine(.file, "a", ["MODIFY"]),
            InotifyLine(.file, "a", ["CLOSE_WRITE"]), InotifyLine(.name, "sed8a6", ["CREATE"]),
            InotifyLine(.file, "a", ["MODIFY"]), InotifyLine(.file, "a", ["IGNORED"]),
            InotifyLine(.name, "a", ["CREATE"]), InotifyLine(.file, "b", ["ATTRIB"]),
        ]
        #expect(
            InotifyLine.normalForm(of: told, beside: expected).map(\.description) == [
                "file a MODIFY CLOSE_WRITE MODIFY", "name a CREATE", "file b ATTRIB",
            ])
    }
}
