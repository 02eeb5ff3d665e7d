import TestSupport
import Testing

@Suite("Command line")
struct CommandLineTests {
    private let folder: TemporaryFolder
    private static let commands =
        "check, get, keys, type, count, set, unset, add, edit, diff, merge, format, watch, bridge, fleet, "
        + "folders, completion, manual"
    private let usage = """
        usage: sessionctl COMMAND [OPTION…] [OPERAND…]
        commands: \(Self.commands)
        more: sessionctl --help

        """
    private let checkUsage = """
        usage: sessionctl check [OPTION…] FILE…
        more: sessionctl check --help

        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("comment.json", "// a\n{\"a\": -1}\n")
        try folder.write("-x", "[]")
        try folder.write("--strict", "[")
    }

    @Test("sessionctl without a command prints the usage")
    func noCommand() throws {
        let result = Program.Result(code: 2, messages: "sessionctl: a command is missing\n" + usage)
        #expect(try folder.sessionctl() == result)
        #expect(try folder.sessionctl("--") == result)
    }

    @Test(
        "--version and its abbreviations print the version",
        arguments: [["--version"], ["--vers"], ["check", "--version"], ["get", "x", "--v"]])
    func version(arguments: [String]) throws {
        #expect(
            try Program.sessionctl.run(arguments, in: folder) == Program.Result(code: 0, output: "sessionctl 0.1.0\n"))
    }

    @Test("--help prints the commands and exit codes")
    func help() throws {
        let long = try folder.sessionctl("--help")
        #expect(long.code == 0)
        #expect(long.messages == "")
        #expect(long.output.hasPrefix("usage: sessionctl COMMAND [OPTION…] [OPERAND…]\n"))
        #expect(long.output.contains("\n  check       validate JSON files\n"))
        #expect(long.output.contains("\n  get         print the values at paths\n"))
        #expect(long.output.contains("\n  edit        edit a file in your editor, and save valid JSON only\n"))
        #expect(long.output.contains("\n  watch       print each change of a file as it happens\n"))
        #expect(long.output.contains("\n  3  system error"))
        for arguments in [["-h"], ["--he"], ["-h", "--bogus"], ["--help", "check"]] {
            #expect(try Program.sessionctl.run(arguments, in: folder) == long)
        }
    }

    @Test(
        "--help after a command prints the usage and options of the command",
        arguments: [
            ("check", "--strict  "), ("get", "-r, --raw  "), ("watch", "--until=PATH=JSON  "),
            ("set", "-s, --string  "),
            ("diff", "--json  "), ("merge", "--name=NAME  "), ("format", "--check  "),
        ])
    func commandHelp(command: String, option: String) throws {
        let long = try folder.sessionctl(command, "--help")
        #expect(long.code == 0)
        #expect(long.messages == "")
        #expect(long.output.hasPrefix("usage: sessionctl \(command) ["))
        #expect(long.output.contains("\n  \(option)"))
        #expect(long.output.contains("\n  -h, --help ") && long.output.contains(" show this help\n"))
        #expect(long.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try folder.sessionctl(command, "missing.json", "-h") == long)
    }

    @Test(
        "An unknown command is rejected with the most similar command",
        arguments: [
            ("chekc", "; did you mean check?"), ("Check", "; did you mean check?"), ("gte", "; did you mean get?"),
            ("zzz", ""), ("-3", ""), ("", ""),
        ])
    func unknownCommand(name: String, suggestion: String) throws {
        let message = "sessionctl: unknown command \(name)\(suggestion)\n"
        #expect(try folder.sessionctl(name, "a.json") == Program.Result(code: 2, messages: message + usage))
    }

    @Test(
        "help is answered with the option to write",
        arguments: [([], " --help"), (["get"], " get --help"), (["a.json"], " --help"), (["help"], " --help")])
    func help(arguments: [String], written: String) throws {
        let result = try Program.sessionctl.run(["help"] + arguments, in: folder)
        #expect(result.code == 2)
        #expect(result.messages.hasPrefix("sessionctl: help is not a command; write sessionctl\(written)\n"))
    }

    @Test(
        "An unknown option is rejected with the most similar option",
        arguments: [
            ("--strct", "--strct; did you mean --strict?"), ("--Strict", "--Strict; did you mean --strict?"),
            ("--strcit=yes", "--strcit; did you mean --strict?"), ("-strict", "-s; did you mean --strict?"),
            ("-Xmx1g", "-X; write -- before an operand that begins with a dash"), ("--bogus", "--bogus"), ("-x", "-x"),
            ("-é", "-é"), ("-?", "-?"), ("-:", "-:"),
        ])
    func unknownOption(option: String, message: String) throws {
        let result = Program.Result(code: 2, messages: "sessionctl: unknown option \(message)\n" + checkUsage)
        #expect(try folder.sessionctl("check", option, "comment.json") == result)
        #expect(try folder.sessionctl("check", "comment.json", option) == result)
    }

    @Test("folders prints where a program keeps its files, and refuses what is no name of a program")
    func folders() throws {
        let result = try Program.sessionctl.run(
            ["folders", "notes"], in: folder,
            environment: ["HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "", "STATE_DIRECTORY": "/own"])
        let lines = result.output.split(separator: "\n")
        #expect(result.code == 0 && lines.contains("state /h/.local/state/notes") && lines.contains("cache /c/notes"))
        #expect(lines.map { String($0.prefix { $0 != " " }) } == Self.folderNames)
        #expect(lines.contains("documents /h/Documents") && lines.contains("home /h"))
        for name in ["../notes", "", ".."] { #expect(try folder.sessionctl("folders", name).code == 2) }
    }

    private static let folderNames = [
        "config", "state", "data", "cache", "runtime", "logs", "documents", "temporary", "home",
    ]

    @Test("folders fails without a home directory, and prints those that need none", .asAnyUser, .needs(.setpriv))
    func foldersWithoutHome() throws {
        // No user has this number.
        let result = try Programs.setpriv.program.run(
            [
                "--reuid=54321", "--regid=54321", "--clear-groups", "env", "-u", "HOME", "XDG_CACHE_HOME=/c",
                Program.sessionctl.path, "folders", "notes",
            ], in: folder)
        #expect(result.code > 0 && result.output.split(separator: "\n").contains("cache /c/notes"), "\(result)")
        #expect(!result.output.contains("nonexistent"))
        let message = "sessionctl: there is no home directory for config, state, data, logs, documents, home: set HOME"
        #expect(result.messages.hasPrefix(message), "\(result)")
    }

    @Test("An option of a command is rejected before the command")
    func optionBeforeCommand() throws {
        let message = "sessionctl: unknown option --strict\n"
        #expect(
            try folder.sessionctl("--strict", "check", "comment.json")
                == Program.Result(code: 2, messages: message + usage))
    }

    @Test("Options may precede or follow the operands and may be abbreviated")
    func placeOfOptions() throws {
        let strict = try folder.sessionctl("check", "--strict", "comment.json")
        #expect(strict.code == 1)
        for arguments in [["comment.json", "--strict"], ["--str", "comment.json"], ["--s", "--", "comment.json"]] {
            #expect(try Program.sessionctl.run(["check"] + arguments, in: folder) == strict)
        }
    }

    @Test("An ambiguous abbreviation and an unexpected option value are rejected")
    func wrongForm() throws {
        #expect(
            try folder.sessionctl("check", "--=x", "comment.json").messages
                == "sessionctl: the option -- is ambiguous: --strict, --json, --redact, --help, --version\n"
                + checkUsage)
        #expect(
            try folder.sessionctl("check", "--strict=yes", "comment.json")
                == Program.Result(code: 2, messages: "sessionctl: the option --strict takes no value\n" + checkUsage))
    }

    @Test("Every argument after -- is an operand")
    func endOfOptions() throws {
        #expect(try folder.sessionctl("check", "--", "-x", "comment.json") == Program.Result(code: 0))
        #expect(try folder.sessionctl("check", "--", "--strict").messages.hasPrefix("--strict:1:2: error: "))
        #expect(try folder.sessionctl("--", "check", "comment.json") == Program.Result(code: 0))
        #expect(
            try folder.sessionctl("check", "--", "--").messages == "sessionctl: --: No such file or directory\n")
    }

    @Test("An argument that is not valid UTF-8 is rejected")
    func notUnicode() throws {
        let message = "sessionctl: the argument a\u{FFFD}.json is not UTF-8\n"
        #expect(
            try folder.shell(#"exec "$0" check "$(printf 'a\377.json')""#)
                == Program.Result(code: 2, messages: message + checkUsage))
    }

    @Test("POSIXLY_CORRECT does not change the parsing of arguments")
    func posixlyCorrect() throws {
        let strict = try folder.sessionctl("check", "--strict", "comment.json")
        #expect(try folder.shell(#"POSIXLY_CORRECT=1 exec "$0" check comment.json --strict"#) == strict)
    }
}
