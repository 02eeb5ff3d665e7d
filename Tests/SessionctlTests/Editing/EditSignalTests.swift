import Glibc
import TestSupport
import Testing

@Suite("A signal during sessionctl edit")
struct EditSignalTests {
    private let editing: HandEditing

    init() throws { editing = try HandEditing() }

    @Test("ends the editor first, and leaves no copy behind", arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
    func unchanged(number: Int32) throws {
        let edit = try editing.start("touch begun; exec sleep 1000")
        waitForEditor()
        edit.send(number)
        #expect(try edit.end() == Program.Result(code: 128 + number))
        #expect(try editing.folder.shell("ls -A tmp").output == "")
    }

    @Test("keeps what was written", arguments: [SIGINT, SIGTERM, SIGHUP]) func changed(number: Int32) throws {
        let edit = try editing.start(#"echo '{ "port": 1 }' >"$1"; touch begun; exec sleep 1000"#)
        waitForEditor()
        edit.send(number)
        let result = try edit.end()
        #expect(result.code == 128 + number && editing.keeping(result.messages))
        #expect(try editing.kept() == "{ \"port\": 1 }\n")
        #expect(try editing.text() == editing.settings)
    }

    @Test("keeps what the editor has put beside the copy in its need") func swapFile() throws {
        let edit = try editing.start(#"touch "$1.swp" begun; exec sleep 1000"#)
        waitForEditor()
        edit.send(SIGHUP)
        let result = try edit.end()
        #expect(result.code == 128 + SIGHUP && result.messages.contains("what you wrote is kept in "))
        #expect(try editing.leftOvers() == "a.json\na.json.swp\n")
    }

    @Test("keeps what a question is about", arguments: [SIGINT, SIGTERM, SIGHUP]) func atQuestion(number: Int32) throws
    {
        let edit = try editing.start(#"echo '{' >"$1""#)
        try eventually("the question comes") { try edit.readMessages().contains("What now? ") }
        edit.send(number)
        let result = try edit.end()
        #expect(result.code == 128 + number && editing.keeping(result.messages))
        #expect(try editing.kept() == "{\n")
    }

    @Test("that the editor survives is its own business, if it is an interrupt") func survived() throws {
        let edit = try editing.start(
            #"trap 'touch heard' INT; touch begun; until test -e heard; do sleep 0.01; done; sed -i s/8080/1/ "$1""#)
        waitForEditor()
        edit.send(SIGINT)
        #expect(try edit.end() == Program.Result(code: 0))
        #expect(try editing.text() == editing.settings.replacing("8080", with: "1"))
    }

    @Test("that whoever started it ignores is ignored") func ignored() throws {
        let environment = try editing.environment(#"kill -HUP $PPID; sed -i s/8080/1/ "$1""#)
        let words = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        let result = try editing.folder.shell("trap '' HUP; export \(words); exec \"$0\" edit a.json")
        #expect(result == Program.Result(code: 0))
        #expect(try editing.text() == editing.settings.replacing("8080", with: "1"))
    }

    private func waitForEditor() {
        eventually("the editor begins") { access(editing.folder.path(of: "begun"), F_OK) == 0 }
    }
}
