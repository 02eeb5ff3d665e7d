import TestSupport

/// The commands and options that the program names in its help.
struct CommandLineInventory {
    let commands: [String]
    private let folder: TemporaryFolder

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        commands = CommandLineInventory.terms(of: try folder.sessionctl("--help").output, in: "Commands:")
    }

    /// The options in the help of a command, or of the program, with their placeholders: `-n`, `--if=JSON`.
    func options(inHelpOf command: String?) throws -> [String] {
        let help = try Program.sessionctl.run((command.map { [$0] } ?? []) + ["--help"], in: folder)
        return CommandLineInventory.terms(of: help.output, in: "Options:").flatMap {
            $0.split(separator: ", ").map(String.init)
        }
    }

    /// The options in the manual page.
    func options(inManualOf command: String?) throws -> [String] {
        let page = try Program.sessionctl.run(["manual"] + (command.map { [$0] } ?? []), in: folder).output
        let lines = page.split(separator: "\n").drop { $0 != ".Sh OPTIONS" }.prefix { $0 != ".El" }
        return lines.filter { $0.hasPrefix(".It ") }.flatMap { line in
            // For example ".It Fl n , Fl -dry\-run", ".It Fl -if Ns = Ns Ar JSON" and ".It Fl -on Ns = Ns Cm a | Cm b".
            String(line.dropFirst(4)).replacing(" Ns = Ns ", with: "=").replacing("\\-", with: "-")
                .replacing("Ar ", with: "").replacing("Cm ", with: "").replacing(" | ", with: "|")
                .replacing("Fl ", with: "-").split(separator: " , ").map(String.init)
        }
    }

    /// The options that are candidates for completion. Of an option with a value, the equals sign is one.
    func options(inCompletionOf command: String?) throws -> [String] {
        let line = "sessionctl \(command.map { "\($0) " } ?? "")-"
        return try folder.candidates("fish", line).map { String($0.split(separator: "\t")[0]) }
    }

    /// The first column of a table of the help.
    private static func terms(of help: String, in heading: Substring) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != heading }.dropFirst()
        return lines.prefix { $0.hasPrefix("  ") }.map { line in
            String(line.dropFirst(2)).split(separator: "  ", maxSplits: 1).first.map(String.init) ?? ""
        }
    }
}

extension TemporaryFolder {
    /// The candidates for the last word of a command line, without their kind, and without names of files.
    func candidates(_ shell: String, _ line: String, breaks: String = "") throws -> [String] {
        let result = try sessionctl("complete", shell, "--", line, breaks)
        guard result.code == 0, result.messages == "" else { throw TestSupportError("\(result)") }
        let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("word ") || $0.hasPrefix("part ") }
        return lines.map { String($0.dropFirst(5)) }
    }
}
