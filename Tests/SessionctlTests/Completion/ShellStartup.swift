import TestSupport
import Testing

/// How a shell starts: with the prompt `> `, without the files of the system and the user, and with the completion.
struct ShellStartup: CustomTestStringConvertible {
    let shell: Programs
    /// Whether the script is in a directory that the shell searches, instead of being sourced.
    var isInstalled = false

    var testDescription: String { "\(shell)\(isInstalled ? ", installed" : "")" }

    func writeFiles(in folder: TemporaryFolder) throws {
        let script = try folder.sessionctl("completion", shell.rawValue)
        #expect(script.code == 0 && script.messages == "")
        switch shell {
        case .bash: try folder.write("bashrc", "PS1='> '\nsource <(sessionctl completion bash)\n")
        case .zsh:
            try folder.createFolder("functions")
            if isInstalled { try folder.write("functions/_sessionctl", script.output) }
            let source = isInstalled ? "" : "source <(sessionctl completion zsh)\n"
            try folder.write(
                ".zshrc",
                """
                PS1='> ' PROMPT_EOL_MARK=
                fpath=($HOME/functions $fpath)
                autoload -Uz compinit
                compinit -u -d $HOME/dump
                \(source)
                """)
        default:
            try folder.createFolder(".config/fish/completions")
            try folder.write(
                ".config/fish/config.fish", "function fish_prompt\n    echo -n '> '\nend\nset -g fish_greeting\n")
            try folder.write(".config/fish/completions/sessionctl.fish", script.output)
        }
    }

    /// The shell command that starts it.
    func command(in folder: TemporaryFolder) throws -> String {
        let programs = Program.sessionctl.path.split(separator: "/").dropLast().joined(separator: "/")
        let environment =
            "HOME='\(folder.path)' ZDOTDIR='\(folder.path)' XDG_CONFIG_HOME= XDG_DATA_HOME= LC_ALL=C.UTF-8"
        let arguments = shell == .bash ? "--noprofile --rcfile bashrc -i" : "-i"
        return "exec env \(environment) PATH='/\(programs)':\"$PATH\" \(try #require(shell.path)) \(arguments)"
    }
}
