import Glibc
import TestSupport
import Testing

@Suite("Merging in sessionctl edit")
struct EditMergingTests {
    private let fixture: EditFixture
    private let merged = "a.json: merged with changes made by others during the edit\n"
    private let choices = "(m)ine, (t)heirs, (e)dit again: "

    init() throws { fixture = try EditFixture() }

    private func settings(_ replacements: [(String, String)]) -> String {
        replacements.reduce(fixture.settings) { $0.replacing($1.0, with: $1.1) }
    }

    @Test(
        "edit merges values changed by others into the user's text with its comments and layout",
        arguments: [
            #""$SESSIONCTL" set a.json host '"b"'"#, #"sed -i 's/"host": "a"/"host":"b"/' a.json"#,
        ])
    func values(theirs: String) throws {
        let result = try fixture.edit(#"sed -i 's/8080/9090/; s/where/here/; s/"port": /"port":/' "$1"; \#(theirs)"#)
        #expect(result == Program.Result(code: 0, messages: merged))
        let expected = [("8080", "9090"), ("where", "here"), ("\"port\": ", "\"port\":"), ("\"a\"", "\"b\"")]
        #expect(try fixture.text() == settings(expected))
        #expect(try fixture.leftovers() == "")
    }

    @Test("edit keeps comments changed by others if the user changed only values") func comments() throws {
        let result = try fixture.edit(#"sed -i s/8080/9090/ "$1"; sed -i 's/for now/for good/; s/"a"/"b"/' a.json"#)
        #expect(result == Program.Result(code: 0, messages: merged))
        #expect(try fixture.text() == settings([("8080", "9090"), ("for now", "for good"), ("\"a\"", "\"b\"")]))
    }

    @Test("edit merges a file that others created during the edit") func created() throws {
        try fixture.folder.remove("a.json")
        let result = try fixture.edit(#"printf '{\n  "mine": 1\n}\n' >"$1"; "$SESSIONCTL" set a.json theirs 2"#)
        #expect(result == Program.Result(code: 0, messages: merged))
        #expect(try fixture.text() == "{\n  \"mine\": 1,\n  \"theirs\": 2\n}\n")
    }

    @Test("edit creates the file again if others removed it during the edit") func removed() throws {
        #expect(try fixture.edit(#"sed -i s/8080/9090/ "$1"; rm a.json"#) == Program.Result(code: 0))
        #expect(try fixture.text() == settings([("8080", "9090")]))
    }

    @Test(
        "edit asks about each value that both the user and others changed",
        arguments: [("m\nt\n", 1, "c"), ("t\nm\n", 2, "b")])
    func conflicts(answers: String, port: Int, host: String) throws {
        let result = try fixture.edit(
            #"sed -i 's/8080/1/; s/"a"/"b"/; s/where/here/' "$1"; sed -i 's/8080/2/; s/"a"/"c"/' a.json"#,
            answers: answers)
        let messages = [
            "a.json: conflict: port: was 8080, now 1 in your text and 2 in the file\nWhose value? \(choices)",
            "a.json: conflict: host: was \"a\", now \"b\" in your text and \"c\" in the file\nWhose value? \(choices)",
        ]
        #expect(result == Program.Result(code: 0, messages: messages.joined() + merged))
        #expect(try fixture.text() == settings([("8080", "\(port)"), ("\"a\"", "\"\(host)\""), ("where", "here")]))
    }

    @Test("edit resolves a conflict when the user edits the text again") func again() throws {
        let script = """
            if grep -q 8080 "$1"; then sed -i 's/8080/1/; s/where/here/' "$1"; "$SESSIONCTL" set a.json port 2
            else sed -i 's/: 1/: 2/' "$1"; fi
            """
        let result = try fixture.edit(script, answers: "e\n")
        let conflict = "a.json: conflict: port: was 8080, now 1 in your text and 2 in the file\n"
        #expect(result == Program.Result(code: 0, messages: "\(conflict)Whose value? \(choices)"))
        #expect(try fixture.text() == settings([("8080", "2"), ("where", "here")]))
    }

    @Test("edit asks whose text to keep if both changed comments or layout", arguments: ["m", "t"])
    func texts(answer: String) throws {
        let result = try fixture.edit(
            #"sed -i 's/8080/1/; s/where/here/' "$1"; sed -i 's/for now/for good/' a.json; "$SESSIONCTL" set a.json x 2"#,
            answers: answer)
        let conflict = "a.json: conflict: both you and others changed comments or layout\n"
        let question = "Whose text, with merged values? \(choices)"
        #expect(result == Program.Result(code: 0, messages: conflict + question + merged))
        let (old, new) = answer == "m" ? ("where", "here") : ("for now", "for good")
        #expect(
            try fixture.text()
                == settings([("8080", "1"), (old, new), ("\"a\" ", "\"a\", "), ("\n}", "\n  \"x\": 2\n}")]))
    }

    @Test(
        "edit without an answer to a conflict saves nothing and keeps the user's text",
        arguments: [#""$SESSIONCTL" set a.json port 2"#, "sed -i 's/for now/for good/' a.json"])
    func unanswered(theirs: String) throws {
        let result = try fixture.edit(#"sed -i 's/8080/1/; s/where/here/' "$1"; \#(theirs); cp a.json theirs"#)
        #expect(
            result.code == 3 && result.messages.contains("\nsessionctl: a.json: no answer: nothing was saved\n"))
        #expect(fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == settings([("8080", "1"), ("where", "here")]))
        #expect(try fixture.text() == fixture.folder.read("theirs"))
    }

    @Test("edit asks again if others change the file during the question") func duringQuestion() throws {
        let edit = try fixture.start(#"sed -i 's/8080/1/; s/where/here/' "$1"; "$SESSIONCTL" set a.json port 2"#)
        let asked = { (number: Int) in
            try edit.readMessages().contains("and \(number) in the file\nWhose value? \(choices)")
        }
        try eventually("the question is asked") { try asked(2) }
        #expect(try fixture.folder.sessionctl("set", "a.json", "port", "3").code == 0)
        try edit.say("t")
        try eventually("the question is asked again") { try asked(3) }
        #expect(try fixture.folder.sessionctl("set", "a.json", "other", "4").code == 0)
        try edit.say("m")
        #expect(try edit.end().code == 0)
        #expect(try fixture.text().contains("\"port\": 1,") && fixture.text().contains("\"other\": 4"))
        #expect(try fixture.text().contains("// here it listens"))
    }

    @Test("edit loses no change of another process that writes repeatedly") func repeatedWrites() throws {
        let script = """
            (for number in $(seq 40); do "$SESSIONCTL" set a.json "theirs.$number" 1 || echo "$number"; done; touch over) >>failed &
            until grep -q theirs a.json; do sleep 0.01; done
            sed -i 's/where/here/; s/8080/1/' "$1"
            """
        #expect(try fixture.edit(script) == Program.Result(code: 0, messages: merged))
        // The background process inherits no descriptor from edit, so its end must be awaited here.
        eventually("the other process finishes", within: .seconds(60)) {
            access(fixture.folder.path(of: "over"), F_OK) == 0
        }
        #expect(try fixture.folder.sessionctl("get", "a.json", "port").output == "1\n")
        #expect(try fixture.folder.shell(#""$0" get a.json theirs | grep -c :; cat failed"#).output == "40\n")
        #expect(try fixture.text().contains("// here it listens"))
    }

    @Test("edit merges a displaced edit that a crash left beside the file") func displaced() throws {
        let displaced = #"{ "port": 8080, "host": "a", "theirs": 1 }"#
        try fixture.folder.write(".a.json.sm-displaced-1-1-1", displaced)
        #expect(try fixture.edit(#"sed -i 's/where/here/' "$1""#) == Program.Result(code: 0, messages: merged))
        #expect(try fixture.folder.sessionctl("get", "a.json", "theirs").output == "1\n")
        #expect(try fixture.text().contains("// here it listens"))
        #expect(try fixture.folder.shell("ls -A").output == "a.json\neditor\ntmp\n")
    }
}
