import Glibc
import TestSupport
import Testing

@Suite("What others change during sessionctl edit")
struct EditMergingTests {
    private let editing: HandEditing
    private let merged = "a.json: others changed it meanwhile, which is merged with what you wrote\n"
    private let whose = "(m)ine, (t)heirs, (e)dit again: "

    init() throws { editing = try HandEditing() }

    private func settings(_ replacements: [(String, String)]) -> String {
        replacements.reduce(editing.settings) { $0.replacing($1.0, with: $1.1) }
    }

    @Test(
        "is put into the person's text, whose comments and layout stay",
        arguments: [
            #""$SESSIONCTL" set a.json host '"b"'"#, #"sed -i 's/"host": "a"/"host":"b"/' a.json"#,
        ])
    func values(theirs: String) throws {
        let result = try editing.edit(#"sed -i 's/8080/9090/; s/where/here/; s/"port": /"port":/' "$1"; \#(theirs)"#)
        #expect(result == Program.Result(code: 0, messages: merged))
        let expected = [("8080", "9090"), ("where", "here"), ("\"port\": ", "\"port\":"), ("\"a\"", "\"b\"")]
        #expect(try editing.text() == settings(expected))
        #expect(try editing.leftOvers() == "")
    }

    @Test("are comments too, which stay where the person changed values only") func comments() throws {
        let result = try editing.edit(#"sed -i s/8080/9090/ "$1"; sed -i 's/for now/for good/; s/"a"/"b"/' a.json"#)
        #expect(result == Program.Result(code: 0, messages: merged))
        #expect(try editing.text() == settings([("8080", "9090"), ("for now", "for good"), ("\"a\"", "\"b\"")]))
    }

    @Test("is merged when it came while the file was missing") func created() throws {
        try editing.folder.remove("a.json")
        let result = try editing.edit(#"printf '{\n  "mine": 1\n}\n' >"$1"; "$SESSIONCTL" set a.json theirs 2"#)
        #expect(result == Program.Result(code: 0, messages: merged))
        #expect(try editing.text() == "{\n  \"mine\": 1,\n  \"theirs\": 2\n}\n")
    }

    @Test("does not matter where they remove the file: it is created again") func removed() throws {
        #expect(try editing.edit(#"sed -i s/8080/9090/ "$1"; rm a.json"#) == Program.Result(code: 0))
        #expect(try editing.text() == settings([("8080", "9090")]))
    }

    @Test(
        "is asked about where the person changed the same values", arguments: [("m\nt\n", 1, "c"), ("t\nm\n", 2, "b")])
    func conflicts(answers: String, port: Int, host: String) throws {
        let result = try editing.edit(
            #"sed -i 's/8080/1/; s/"a"/"b"/; s/where/here/' "$1"; sed -i 's/8080/2/; s/"a"/"c"/' a.json"#,
            answers: answers)
        let messages = [
            "a.json: conflict: port: 8080 became 1 in what you wrote, and 2 in the file\nWhose value? \(whose)",
            "a.json: conflict: host: \"a\" became \"b\" in what you wrote, and \"c\" in the file\nWhose value? \(whose)",
        ]
        #expect(result == Program.Result(code: 0, messages: messages.joined() + merged))
        #expect(try editing.text() == settings([("8080", "\(port)"), ("\"a\"", "\"\(host)\""), ("where", "here")]))
    }

    @Test("can be met by editing again what was written") func again() throws {
        let script = """
            if grep -q 8080 "$1"; then sed -i 's/8080/1/; s/where/here/' "$1"; "$SESSIONCTL" set a.json port 2
            else sed -i 's/: 1/: 2/' "$1"; fi
            """
        let result = try editing.edit(script, answers: "e\n")
        let conflict = "a.json: conflict: port: 8080 became 1 in what you wrote, and 2 in the file\n"
        #expect(result == Program.Result(code: 0, messages: "\(conflict)Whose value? \(whose)"))
        #expect(try editing.text() == settings([("8080", "2"), ("where", "here")]))
    }

    @Test("is asked about where both changed comments or layout", arguments: ["m", "t"]) func texts(answer: String)
        throws
    {
        let result = try editing.edit(
            #"sed -i 's/8080/1/; s/where/here/' "$1"; sed -i 's/for now/for good/' a.json; "$SESSIONCTL" set a.json x 2"#,
            answers: answer)
        let conflict = "a.json: conflict: others changed its comments or layout meanwhile, and so did you\n"
        let question = "Whose text, with the values of both? \(whose)"
        #expect(result == Program.Result(code: 0, messages: conflict + question + merged))
        let (old, new) = answer == "m" ? ("where", "here") : ("for now", "for good")
        #expect(
            try editing.text()
                == settings([("8080", "1"), (old, new), ("\"a\" ", "\"a\", "), ("\n}", "\n  \"x\": 2\n}")]))
    }

    @Test(
        "refuses the edit, which is kept, where nobody answers",
        arguments: [#""$SESSIONCTL" set a.json port 2"#, "sed -i 's/for now/for good/' a.json"])
    func unanswered(theirs: String) throws {
        let result = try editing.edit(#"sed -i 's/8080/1/; s/where/here/' "$1"; \#(theirs); cp a.json theirs"#)
        #expect(
            result.code == 3 && result.messages.contains("\nsessionctl: a.json: nobody answers: nothing was saved\n"))
        #expect(editing.keeping(result.messages))
        #expect(try editing.kept() == settings([("8080", "1"), ("where", "here")]))
        #expect(try editing.text() == editing.folder.read("theirs"))
    }

    @Test("is asked about again when they change it during the question") func duringQuestion() throws {
        let edit = try editing.start(#"sed -i 's/8080/1/; s/where/here/' "$1"; "$SESSIONCTL" set a.json port 2"#)
        let asked = { (number: Int) in
            try edit.readMessages().contains("and \(number) in the file\nWhose value? \(whose)")
        }
        try eventually("the question comes") { try asked(2) }
        #expect(try editing.folder.sessionctl("set", "a.json", "port", "3").code == 0)
        try edit.say("t")
        try eventually("the new question comes") { try asked(3) }
        #expect(try editing.folder.sessionctl("set", "a.json", "other", "4").code == 0)
        try edit.say("m")
        #expect(try edit.end().code == 0)
        #expect(try editing.text().contains("\"port\": 1,") && editing.text().contains("\"other\": 4"))
        #expect(try editing.text().contains("// here it listens"))
    }

    @Test("is not lost while many do it") func busy() throws {
        let script = """
            (for number in $(seq 40); do "$SESSIONCTL" set a.json "theirs.$number" 1 || echo "$number"; done) >>failed &
            until grep -q theirs a.json; do sleep 0.01; done
            sed -i 's/where/here/; s/8080/1/' "$1"
            """
        #expect(try editing.edit(script) == Program.Result(code: 0, messages: merged))
        #expect(try editing.folder.sessionctl("get", "a.json", "port").output == "1\n")
        #expect(try editing.folder.shell(#""$0" get a.json theirs | grep -c :; cat failed"#).output == "40\n")
        #expect(try editing.text().contains("// here it listens"))
    }

    @Test("is found beside the file after a crash, and put in") func rescued() throws {
        let rescued = #"{ "port": 8080, "host": "a", "theirs": 1 }"#
        try editing.folder.write(".a.json.sm-late-1-1-1", rescued)
        #expect(try editing.edit(#"sed -i 's/where/here/' "$1""#) == Program.Result(code: 0, messages: merged))
        #expect(try editing.folder.sessionctl("get", "a.json", "theirs").output == "1\n")
        #expect(try editing.text().contains("// here it listens"))
        #expect(try editing.folder.shell("ls -A").output == "a.json\neditor\ntmp\n")
    }
}
