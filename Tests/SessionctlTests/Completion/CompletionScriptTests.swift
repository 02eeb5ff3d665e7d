import TestSupport
import Testing

@Suite("sessionctl completion") struct CompletionScriptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ shell: String, _ program: Programs, _ arguments: String...) throws {
        let script = try folder.sessionctl("completion", shell)
        #expect(script.code == 0 && script.messages == "")
        try folder.write("script", script.output)
        #expect(try program.program.run(arguments + ["script"], in: folder) == Program.Result(code: 0))
    }

    @Test("The script for bash has valid syntax, and shellcheck finds nothing", .needs(.bash, .shellcheck))
    func bash() throws {
        try check("bash", .bash, "-n")
        try check("bash", .shellcheck)
    }

    @Test("The script for zsh has valid syntax", .needs(.zsh)) func zsh() throws { try check("zsh", .zsh, "-f", "-n") }

    @Test("The script for fish has valid syntax", .needs(.fish)) func fish() throws { try check("fish", .fish, "-n") }

    @Test("A shell without a script is rejected") func unknown() throws {
        let usage = "usage: sessionctl completion bash|zsh|fish\nmore: sessionctl completion --help\n"
        let message = "sessionctl: there is no script for csh, only for bash, zsh and fish\n"
        #expect(try folder.sessionctl("completion", "csh") == Program.Result(code: 2, messages: message + usage))
    }

    @Test("The command that the scripts call is not listed") func unlisted() throws {
        #expect(try !folder.sessionctl("--help").output.contains("\n  complete "))
        #expect(try folder.candidates("bash", "sessionctl compl") == ["completion"])
    }
}
