import Glibc
import TestSupport
import Testing

@Suite("The command of sessionctl edit --check")
struct EditCheckTests {
    private let fixture: EditFixture
    private var folder: TemporaryFolder { fixture.folder }
    private let question = "What now? (e)dit again, (x) give up without saving: "
    private let oneEdit = #"sed -i s/8080/1/ "$1""#
    private let edited: String

    init() throws {
        fixture = try EditFixture()
        edited = fixture.settings.replacing("8080", with: "1")
    }

    /// Writes the script `check`, whose `$1` is the text, and returns the command that runs it.
    private func check(_ script: String) throws -> String {
        try folder.write("check", script)
        return "sh check"
    }

    @Test("The check sees the text as it would be saved, in a private file with the name of the file") func accepted()
        throws
    {
        let check = try check(
            #"cat "$1" >seen; stat -c %a "$1" "${1%/*}"; basename "$1"; cmp -s "$1" a.json && echo saved; cat; echo fine >&2"#
        )
        let result = try fixture.edit(oneEdit, check: check, answers: "input of the user\n")
        #expect(result == Program.Result(code: 0, output: "600\n700\na.json\n", messages: "fine\n"))
        #expect(try folder.read("seen") == edited && fixture.text() == edited)
        #expect(try folder.shell("ls -A tmp").output == "")
    }

    @Test("A rejected text can be edited again after the message of the check", arguments: ["e\n", "\n"])
    func again(answers: String) throws {
        let script = #"if grep -q 8080 "$1"; then sed -i s/8080/1/ "$1"; else sed -i 's/: 1/: 2/' "$1"; fi"#
        let check = try check(#"grep -q '"port": 2' "$1" || { echo "the port must be 2" >&2; exit 5; }"#)
        let rejection = "the port must be 2\na.json: the check (sh check) ended with exit status 5\n"
        let result = try fixture.edit(script, check: check, answers: answers)
        #expect(result == Program.Result(code: 0, messages: rejection + question))
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "2"))
        #expect(try fixture.leftovers() == "")
    }

    @Test(
        "A rejected text can be given up, also after a signal has ended the check",
        arguments: [("exit 1", "ended with exit status 1"), ("kill -9 $$", "was killed by signal 9")])
    func givenUp(script: String, ending: String) throws {
        let result = try fixture.edit(oneEdit, check: try check(script), answers: "x\n")
        let messages = "a.json: the check (sh check) \(ending)\n\(question)a.json: nothing was saved\n"
        #expect(result == Program.Result(code: 1, messages: messages))
        #expect(try fixture.text() == fixture.settings)
        #expect(try folder.shell("ls -A tmp").output == "")
        let unanswered = try fixture.edit(oneEdit, check: "sh check")
        #expect(unanswered.code == 3 && fixture.reportsKeptCopy(unanswered.messages))
        #expect(try fixture.keptCopy() == edited)
    }

    @Test(
        "A check that cannot be run is a system error that names it, and the text is kept",
        arguments: [("./missing --all", 127), ("./check", 126)])
    func missing(command: String, status: Int) throws {
        _ = try check("exit 0")
        let result = try fixture.edit(oneEdit, check: command, answers: "x\n")
        let message = "sessionctl: the check (\(command)) cannot be run (exit status \(status)): nothing was saved\n"
        #expect(result.code == 3 && result.messages.contains(message) && fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == edited && fixture.text() == fixture.settings)
    }

    @Test("Invalid JSON and an unchanged text are not checked", arguments: ["true", #"echo '{' >"$1""#])
    func unchecked(script: String) throws {
        _ = try fixture.edit(script, check: "touch checked; true", answers: "x\n")
        #expect(try folder.shell("ls checked").code != 0)
        #expect(try fixture.text() == fixture.settings)
    }

    @Test(
        "The check is a shell command, which gets the path after its own arguments",
        arguments: [
            "sh check a b", "true && sh check a b", "WORD=x sh check 'a' b", "sh check $(echo a b)",
        ])
    func shell(command: String) throws {
        _ = try check(#"printf '%s\n' "$#" "$1" "$2" "${3##*/}""#)
        #expect(try fixture.edit(oneEdit, check: command) == Program.Result(code: 0, output: "3\na\nb\na.json\n"))
        #expect(try fixture.edit(#"echo 2 >"$1""#, check: "true && false").code == 3)
        #expect(try fixture.text() == edited)
    }

    @Test("The check of a file whose name contains shell syntax gets that name", arguments: ["-n", "a b;$(x)'.json"])
    func oddNames(name: String) throws {
        try folder.write(name, "{}")
        let result = try Program.sessionctl.run(
            ["edit", "--check", try check(#"basename -- "$1""#), "--", name], in: folder,
            environment: fixture.environment(#"printf 1 >"$1""#))
        #expect(result == Program.Result(code: 0, output: "\(name)\n"))
    }

    @Test("A blank check is a usage error", arguments: ["", " \n"]) func blank(command: String) throws {
        let result = try fixture.edit("touch opened", check: command)
        #expect(result.code == 2 && result.messages.hasPrefix("sessionctl: --check needs a command\n"))
        #expect(try folder.shell("ls opened").code != 0)
    }

    @Test("An interrupt on the terminal ends a check that hangs, and keeps the text", .needs(.script))
    func interruptedOnTerminal() throws {
        let session = try Programs.script.program.start(
            [
                "-qec", "\"$SESSIONCTL\" edit a.json --check '\(try check("touch begun; exec sleep 1000"))'",
                "/dev/null",
            ],
            in: folder, input: .lines, environment: fixture.environment(oneEdit))
        eventually("the check starts") { access(folder.path(of: "begun"), F_OK) == 0 }
        try session.say("\u{3}")
        let result = try session.end()
        #expect(result.code == 128 + SIGINT && result.output.contains("your text is kept in "), "\(result)")
        #expect(try fixture.keptCopy() == edited && fixture.text() == fixture.settings)
    }

    @Test(
        "A signal ends the check and sessionctl, and keeps the text",
        arguments: [
            (SIGINT, true, "exec sleep 1000"), (SIGINT, false, "exec sleep 1000"), (SIGTERM, false, "exec sleep 1000"),
            (SIGHUP, true, "exec sleep 1000"), (SIGINT, true, "trap 'exit 0' INT; while :; do sleep 0.01; done"),
        ])
    func interrupted(number: Int32, isForAll: Bool, script: String) throws {
        let edit = try fixture.start(oneEdit, check: try check("touch begun; \(script)"))
        eventually("the check starts") { access(folder.path(of: "begun"), F_OK) == 0 }
        if isForAll { kill(-edit.identifier, number) } else { edit.send(number) }
        let result = try edit.end()
        #expect(result.code == 128 + number && fixture.reportsKeptCopy(result.messages), "\(result)")
        #expect(try fixture.keptCopy() == edited && fixture.text() == fixture.settings)
        #expect(try fixture.leftovers() == "a.json\n")
    }
}
