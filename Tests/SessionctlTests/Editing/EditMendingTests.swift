import Glibc
import TestSupport
import Testing

@Suite("What is no JSON, in sessionctl edit")
struct EditMendingTests {
    private let editing: HandEditing
    private let question = "What now? (e)dit again, (x) give up without saving: "
    /// Loses a value first, and puts one there when it finds it lost.
    private let secondTry =
        #"if grep -q 8080 "$1"; then sed -i s/8080// "$1"; else sed -i 's/"port": /&9090/' "$1"; fi"#
    private let report = """
        a.json:3:11: error: expected a value, found ","; one comma too many
          "port": ,
                  ^

        """

    init() throws { editing = try HandEditing() }

    @Test("can be edited again, as it is", arguments: ["e\n", "\n", "E", "what?\ne\n"])
    func again(answers: String) throws {
        let result = try editing.edit(secondTry, answers: answers)
        let asked = String(repeating: question, count: answers.hasPrefix("what") ? 2 : 1)
        #expect(result == Program.Result(code: 0, messages: report + asked))
        #expect(try editing.text() == editing.settings.replacing("8080", with: "9090"))
        #expect(try editing.leftOvers() == "")
    }

    @Test("can be given up") func givenUp() throws {
        let result = try editing.edit(secondTry, answers: "x\n")
        #expect(result == Program.Result(code: 1, messages: "\(report)\(question)a.json: nothing was saved\n"))
        #expect(try editing.text() == editing.settings)
        #expect(try editing.leftOvers() == "")
    }

    @Test("is kept where nobody answers") func unanswered() throws {
        let result = try editing.edit(secondTry)
        let refusal = "sessionctl: a.json: nobody answers: nothing was saved\n"
        #expect(result.code == 3 && result.messages.hasPrefix("\(report)\(question)\n\(refusal)"))
        #expect(editing.keeping(result.messages))
        #expect(try editing.kept() == editing.settings.replacing("8080", with: ""))
        #expect(try editing.text() == editing.settings)
        let environment = try editing.environment(secondTry).map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        #expect(try editing.folder.shell("\(environment) exec \"$0\" edit a.json <&-").code == 3)
    }

    @Test("is asked about at the terminal", .needs(.script)) func terminal() throws {
        let environment = try editing.environment(secondTry)
        let session = try Programs.script.program.start(
            ["-qec", "\"$SESSIONCTL\" edit a.json", "/dev/null"], in: editing.folder, input: .lines,
            environment: environment)
        _ = try session.line(with: "^")
        try session.say("e")
        #expect(try session.end().code == 0)
        #expect(try editing.text() == editing.settings.replacing("8080", with: "9090"))
    }

    @Test("can be mended where it stands in the file") func mended() throws {
        let broken = editing.settings.replacing("8080", with: "")
        try editing.folder.write("a.json", broken)
        #expect(try editing.edit(secondTry) == Program.Result(code: 0, messages: report))
        #expect(try editing.text() == editing.settings.replacing("8080", with: "9090"))
    }

    @Test("is a matter of taste when others mend it meanwhile", arguments: ["m", "t"])
    func mendedByBoth(answer: String) throws {
        try editing.folder.write("a.json", "{")
        let result = try editing.edit(#"echo '{} // mine' >"$1"; echo '{} // theirs' >a.json"#, answers: answer)
        let conflict = "conflict: others changed it meanwhile, and it was no JSON before: nothing can be merged\n"
        #expect(result.code == 0 && result.messages.contains("a.json: \(conflict)Whose text? (m)ine"))
        #expect(try editing.text() == (answer == "m" ? "{} // mine\n" : "{} // theirs\n"))
        #expect(try editing.leftOvers() == "")
    }

    @Test("is left alone when others wrote it meanwhile, and the edit is kept") func brokenByOthers() throws {
        let result = try editing.edit(#"sed -i s/8080/1/ "$1"; echo '{,' >a.json"#, answers: "m\n")
        #expect(result.code == 3 && result.messages.hasPrefix("a.json:1:2: error: "))
        #expect(result.messages.contains("others changed it meanwhile, and it is no JSON now: nothing was saved\n"))
        #expect(editing.keeping(result.messages))
        #expect(try editing.kept() == editing.settings.replacing("8080", with: "1"))
        #expect(try editing.text() == "{,\n")
    }
}
