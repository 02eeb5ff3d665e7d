import Glibc
import TestSupport
import Testing

@Suite("Signals during sessionctl edit")
struct EditSignalTests {
    private let fixture: EditFixture

    init() throws { fixture = try EditFixture() }

    @Test(
        "A signal ends the editor and sessionctl and removes an unchanged copy",
        arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
    func unchanged(number: Int32) throws {
        let edit = try fixture.start("touch begun; exec sleep 1000")
        waitForEditor()
        edit.send(number)
        #expect(try edit.end() == Program.Result(code: 128 + number))
        #expect(try fixture.folder.shell("ls -A tmp").output == "")
    }

    @Test("A signal keeps the copy if the user has saved changes in it", arguments: [SIGINT, SIGTERM, SIGHUP])
    func changed(number: Int32) throws {
        let edit = try fixture.start(#"echo '{ "port": 1 }' >"$1"; touch begun; exec sleep 1000"#)
        waitForEditor()
        edit.send(number)
        let result = try edit.end()
        #expect(result.code == 128 + number && fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == "{ \"port\": 1 }\n")
        #expect(try fixture.text() == fixture.settings)
    }

    @Test("A hangup keeps the swap file that the editor wrote beside the copy") func swapFile() throws {
        let edit = try fixture.start(#"touch "$1.swp" begun; exec sleep 1000"#)
        waitForEditor()
        edit.send(SIGHUP)
        let result = try edit.end()
        #expect(result.code == 128 + SIGHUP && result.messages.contains("your text is kept in "))
        #expect(try fixture.leftovers() == "a.json\na.json.swp\n")
    }

    @Test("A signal during a question keeps the user's text", arguments: [SIGINT, SIGTERM, SIGHUP])
    func atQuestion(number: Int32) throws {
        let edit = try fixture.start(#"echo '{' >"$1""#)
        try eventually("the question is asked") { try edit.readMessages().contains("What now? ") }
        edit.send(number)
        let result = try edit.end()
        #expect(result.code == 128 + number && fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == "{\n")
    }

    @Test("An interrupt that the editor handles does not end sessionctl") func handledByEditor() throws {
        let edit = try fixture.start(
            #"trap 'touch heard' INT; touch begun; until test -e heard; do sleep 0.01; done; sed -i s/8080/1/ "$1""#)
        waitForEditor()
        edit.send(SIGINT)
        #expect(try edit.end() == Program.Result(code: 0))
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "1"))
    }

    @Test("A signal that the parent process ignores is ignored") func ignored() throws {
        let environment = try fixture.environment(#"kill -HUP $PPID; sed -i s/8080/1/ "$1""#)
        let variables = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        let result = try fixture.folder.shell("trap '' HUP; export \(variables); exec \"$0\" edit a.json")
        #expect(result == Program.Result(code: 0))
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "1"))
    }

    private func waitForEditor() {
        eventually("the editor starts") { access(fixture.folder.path(of: "begun"), F_OK) == 0 }
    }
}
