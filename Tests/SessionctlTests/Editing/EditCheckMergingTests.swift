import TestSupport
import Testing

@Suite("Checks of merged texts in sessionctl edit")
struct EditCheckMergingTests {
    private let fixture: EditFixture
    private let subject = "your text, merged with changes made by others during the edit: "
    private let question = "What now? (e)dit the merged text, (x) give up without saving: "
    private let merged = "a.json: merged with changes made by others during the edit\n"
    private let bothEdit = #"sed -i s/8080/1/ "$1"; sed -i 's/"a"/"b"/' a.json"#

    init() throws { fixture = try EditFixture() }

    private func settings(_ port: Int, _ host: String) -> String {
        fixture.settings.replacing("8080", with: "\(port)").replacing("\"a\"", with: "\"\(host)\"")
    }

    @Test("A merged text is checked and saved") func saved() throws {
        let result = try fixture.edit(bothEdit, check: "cat")
        #expect(result == Program.Result(code: 0, output: settings(1, "b"), messages: merged))
        #expect(try fixture.text() == settings(1, "b"))
    }

    @Test("A rejected merged text is opened in the editor") func rejected() throws {
        let script = #"if grep -q 8080 "$1"; then \#(bothEdit); else cp "$1" again; sed -i 's/"b"/"c"/' "$1"; fi"#
        let result = try fixture.edit(script, check: #"! grep -e '"b"'"#, answers: "e\n")
        let rejection = "a.json: \(subject)the check (! grep -e '\"b\"') ended with exit status 1\n"
        #expect(result.messages == rejection + question && result.code == 0, "\(result)")
        #expect(try fixture.folder.read("again") == settings(1, "b"))
        #expect(try fixture.text() == settings(1, "c"))
        #expect(try fixture.leftovers() == "")
    }

    @Test("The check sees the value that the user chooses after a conflict") func conflict() throws {
        let script = #"sed -i s/8080/1/ "$1"; sed -i s/8080/2/ a.json"#
        let result = try fixture.edit(script, check: "grep port", answers: "t\n")
        #expect(result.code == 0 && result.messages.hasPrefix("a.json: conflict: port: was 8080, "), "\(result)")
        // The text is that of the file, which needs no check.
        #expect(try result.output == "" && fixture.text() == settings(2, "a"))
        let mine = try fixture.edit(
            #"sed -i s/2,/1,/ "$1"; sed -i s/2,/3,/ a.json"#, check: "grep port", answers: "m\n")
        #expect(mine.code == 0 && mine.output == "  \"port\": 1,\n", "\(mine)")
        #expect(try fixture.text() == settings(1, "a"))
    }

    @Test("Giving up a rejected merged text leaves the changes of the others") func givenUp() throws {
        let result = try fixture.edit(bothEdit, check: "false", answers: "x\n")
        #expect(result.code == 1 && result.messages.hasSuffix("\(question)a.json: nothing was saved\n"), "\(result)")
        #expect(try fixture.text() == settings(8080, "b"))
        #expect(try fixture.leftovers() == "")
    }

    @Test("Others can change the file during the check; then the merged text is checked, too") func duringCheck() throws
    {
        let script = #"cat "$1" >>seen; if ! grep -q 5 a.json; then timeout 4 "$SESSIONCTL" set a.json host 5; fi"#
        try fixture.folder.write("check", script)
        let result = try fixture.edit(#"sed -i s/8080/1/ "$1""#, check: "sh check")
        #expect(result == Program.Result(code: 0, messages: merged))
        #expect(try fixture.text() == settings(1, "a").replacing("\"a\"", with: "5"))
        #expect(try fixture.folder.read("seen") == settings(1, "a") + fixture.text())
    }

    @Test("Nothing is saved if others change the file during every check") func alwaysChanged() throws {
        try fixture.folder.write("check", #""$SESSIONCTL" add a.json n 1"#)
        let result = try fixture.edit(#"sed -i s/8080/1/ "$1""#, check: "sh check")
        #expect(result.code == 3, "\(result)")
        #expect(
            result.messages.hasPrefix(
                "sessionctl: a.json: others keep changing it during the check: nothing was saved\n"))
        #expect(fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.text().contains("8080") && fixture.text().contains("\"n\": 10"))
    }

    @Test("The check is not asked about a text that others have saved already") func sameText() throws {
        let result = try fixture.edit(#"sed -i s/8080/1/ "$1"; cp "$1" a.json"#, check: "false")
        #expect(result.code == 0 && result.messages == "", "\(result)")
    }
}
