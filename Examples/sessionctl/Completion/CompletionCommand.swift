import Glibc
import VisibleText

extension Command {
    static let completion = Command(
        name: "completion",
        summary: "print the completion script of a shell",
        explanation: """
            Prints a script for the shell, which completes commands, options, names of files
            and paths inside the JSON file. Its first lines say how to install it. The
            script asks the sessionctl in PATH for candidates, and need not be installed
            again for a new version.
            """,
        options: [],
        operands: [Operand(name: "bash|zsh|fish")],
        run: { arguments throws(Failure) in
            try Output.standard.write(try shell(arguments.operands[0]).completionScript)
            return .success
        },
        examples: """
            $ sessionctl completion bash >completion.bash
            $ bash -n completion.bash
            """)

    /// Called by the scripts. Prints candidates for the last word of a command line that ends at the cursor.
    static let complete = Command(
        name: "complete",
        summary: "print candidates for a completion script",
        explanation: """
            Prints candidates for the last word of LINE, the command line up to the cursor.
            BREAKS are characters at which the shell divides words, COMP_WORDBREAKS of bash.
            """,
        options: [],
        operands: [Operand(name: "bash|zsh|fish"), Operand(name: "LINE"), Operand(name: "BREAKS", isOptional: true)],
        run: { arguments throws(Failure) in
            let shell = try shell(arguments.operands[0])
            endAfterTimeLimit()
            let line = ShellLine(arguments.operands[1], breaks: arguments.operands.dropFirst(2).first ?? "")
            try Output.standard.write(shell.text(of: candidates(shell, line), after: line))
            return .success
        })

    /// Ends the program after some seconds, without candidates, when the file is on an unresponsive mount.
    private static func endAfterTimeLimit() {
        signal(SIGALRM) { _ in _exit(ExitCode.success.rawValue) }
        alarm(4)
    }

    /// Bash closes an open quotation mark after a single candidate. If that is the beginning of a word, it is therefore
    /// replaced by its continuations.
    private static func candidates(_ shell: CompletionShell, _ line: ShellLine) -> Candidates {
        var words = line.words
        var candidates = CompletionContext(words).candidates
        while shell == .bash, line.openQuote != nil, candidates.words.count == 1, candidates.words[0].isPartial {
            words[words.count - 1] = candidates.words[0].text
            let longer = CompletionContext(words).candidates
            if longer.words.isEmpty || longer.words == candidates.words { break }
            candidates = longer
        }
        return candidates
    }

    private static func shell(_ name: String) throws(Failure) -> CompletionShell {
        guard let shell = CompletionShell(rawValue: name) else {
            throw .usageError("there is no script for \(name.visible(upTo: 60)), only for bash, zsh and fish")
        }
        return shell
    }
}
