import Glibc
import TestSupport
import Testing

@Suite("Invalid JSON in sessionctl edit")
struct InvalidEditTests {
    private let fixture: EditFixture
    private let question = "What now? (e)dit again, (x) give up without saving: "
    /// An editor that removes a value at its first run and inserts another at its second.
    private let secondTry =
        #"if grep -q 8080 "$1"; then sed -i s/8080// "$1"; else sed -i 's/"port": /&9090/' "$1"; fi"#
    private let report = """
        a.json:3:11: error: expected a value, found ","; one comma too many
          "port": ,
                  ^

        """

    init() throws { fixture = try EditFixture() }

    @Test(
        "edit reports invalid JSON and reopens the user's text on request", arguments: ["e\n", "\n", "E", "what?\ne\n"])
    func again(answers: String) throws {
        let result = try fixture.edit(secondTry, answers: answers)
        let asked = String(repeating: question, count: answers.hasPrefix("what") ? 2 : 1)
        #expect(result == Program.Result(code: 0, messages: report + asked))
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "9090"))
        #expect(try fixture.leftovers() == "")
    }

    @Test("edit discards invalid JSON on request") func discarded() throws {
        let result = try fixture.edit(secondTry, answers: "x\n")
        #expect(result == Program.Result(code: 1, messages: "\(report)\(question)a.json: nothing was saved\n"))
        #expect(try fixture.text() == fixture.settings)
        #expect(try fixture.leftovers() == "")
    }

    @Test("edit without an answer about invalid JSON saves nothing and keeps the user's text")
    func unanswered() throws {
        let result = try fixture.edit(secondTry)
        let message = "sessionctl: a.json: no answer: nothing was saved\n"
        #expect(result.code == 3 && result.messages.hasPrefix("\(report)\(question)\n\(message)"))
        #expect(fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == fixture.settings.replacing("8080", with: ""))
        #expect(try fixture.text() == fixture.settings)
        let environment = try fixture.environment(secondTry).map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        #expect(try fixture.folder.shell("\(environment) exec \"$0\" edit a.json <&-").code == 3)
    }

    @Test("edit asks about invalid JSON on the terminal", .needs(.script)) func terminal() throws {
        let environment = try fixture.environment(secondTry)
        let session = try Programs.script.program.start(
            ["-qec", "\"$SESSIONCTL\" edit a.json", "/dev/null"], in: fixture.folder, input: .lines,
            environment: environment)
        _ = try session.line(with: "^")
        try session.say("e")
        #expect(try session.end().code == 0)
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "9090"))
    }

    @Test("edit corrects a file that was invalid before the edit") func corrected() throws {
        let broken = fixture.settings.replacing("8080", with: "")
        try fixture.folder.write("a.json", broken)
        #expect(try fixture.edit(secondTry) == Program.Result(code: 0, messages: report))
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "9090"))
    }

    @Test("edit asks whose text to keep if both corrected an invalid file", arguments: ["m", "t"])
    func correctedByBoth(answer: String) throws {
        try fixture.folder.write("a.json", "{")
        let result = try fixture.edit(#"echo '{} // mine' >"$1"; echo '{} // theirs' >a.json"#, answers: answer)
        let conflict = "conflict: changed by others, and not valid JSON before the edit: it cannot be merged\n"
        #expect(result.code == 0 && result.messages.contains("a.json: \(conflict)Whose text? (m)ine"))
        #expect(try fixture.text() == (answer == "m" ? "{} // mine\n" : "{} // theirs\n"))
        #expect(try fixture.leftovers() == "")
    }

    @Test("edit leaves a file unchanged that others made invalid, and keeps the user's text")
    func brokenByOthers() throws {
        let result = try fixture.edit(#"sed -i s/8080/1/ "$1"; echo '{,' >a.json"#, answers: "m\n")
        #expect(result.code == 3 && result.messages.hasPrefix("a.json:1:2: error: "))
        #expect(result.messages.contains("another program made it invalid during the edit: nothing was saved\n"))
        #expect(fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == fixture.settings.replacing("8080", with: "1"))
        #expect(try fixture.text() == "{,\n")
    }
}
