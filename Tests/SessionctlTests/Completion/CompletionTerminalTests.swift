import Glibc
import TestSupport
import Testing

@Suite("Completion in shells", .needs(.tmux, .bash, .zsh, .fish)) struct CompletionTerminalTests {
    private let folder: TemporaryFolder

    private static let shells = [
        ShellStartup(shell: .bash), ShellStartup(shell: .zsh), ShellStartup(shell: .zsh, isInstalled: true),
        ShellStartup(shell: .fish),
    ]

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("pages")
        try folder.write("pages.txt", "")
        try folder.write(
            "server.json",
            """
            {
              // Where it listens.
              "http": {"port": 8080, "host": "localhost", "on": true},
              "a.b": 1, "x y": {"c:d": 2}, "list": [10, 11], "q": "it's",
            }
            """)
    }

    @Test("Commands, options, values, files and paths are completed", arguments: shells)
    func words(_ shell: ShellStartup) throws {
        let terminal = try ShellTerminal(shell, in: folder)
        for (typed, line) in [
            ("sessionctl che", "sessionctl check "),
            ("sessionctl get --sh", "sessionctl get --shell="),
            ("sessionctl get ser", "sessionctl get server.json "),
            ("sessionctl set --from=ser", "sessionctl set --from=server.json "),
            ("sessionctl manual --to=pag", "sessionctl manual --to=pages/"),
            ("sessionctl completion z", "sessionctl completion zsh "),
            ("sessionctl manual sessionm", "sessionctl manual sessionmirror "),
            ("sessionctl get server.json htt", "sessionctl get server.json http."),
            ("sessionctl get server.json http.p", "sessionctl get server.json http.port "),
            ("sessionctl get server.json list.1", "sessionctl get server.json list.1 "),
            ("sessionctl get server.json /a", "sessionctl get server.json /a.b "),
            ("sessionctl get --redact=ht server.json", "sessionctl get --redact=ht server.json "),
            ("sessionctl get server.json --redact=ht", "sessionctl get server.json --redact=http."),
            ("sessionctl watch server.json --at htt", "sessionctl watch server.json --at http."),
            ("sessionctl watch server.json --until=http.p", "sessionctl watch server.json --until=http.port="),
            ("sessionctl set server.json http.port=", "sessionctl set server.json http.port=8080 "),
            ("sessionctl set server.json http.on=f", "sessionctl set server.json http.on=false "),
            ("sessionctl set server.json list.0=1 http.po", "sessionctl set server.json list.0=1 http.port="),
            ("true | sessionctl get server.json htt", "true | sessionctl get server.json http."),
        ] {
            try terminal.complete(typed, to: line)
            try terminal.clear()
        }
    }

    @Test("Keys with special characters are quoted for the shell", arguments: shells)
    func quoting(_ shell: ShellStartup) throws {
        let terminal = try ShellTerminal(shell, in: folder)
        try terminal.complete("sessionctl get server.json /x", to: #"sessionctl get server.json /x\ y/"#)
        let colon = shell.shell == .bash ? #"c\:d"# : "c:d"
        try terminal.complete("", to: #"sessionctl get server.json /x\ y/\#(colon) "#)
        try terminal.type(">result")
        try terminal.press("Enter")
        eventually("the value is printed") { (try? folder.read("result")) == "2\n" }
    }

    @Test("An open quotation mark is kept", arguments: shells)
    func quotationMark(_ shell: ShellStartup) throws {
        let terminal = try ShellTerminal(shell, in: folder)
        try terminal.complete("sessionctl get server.json '/a", to: "sessionctl get server.json '/a.b' ")
        try terminal.clear()
        try terminal.complete("sessionctl get server.json \"htt", to: "sessionctl get server.json \"http.")
    }

    @Test("A pipe, an invalid file and a wrong option have no candidates, and no message", arguments: shells)
    func nothing(_ shell: ShellStartup) throws {
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try folder.write("bad.json", "{")
        let terminal = try ShellTerminal(shell, in: folder)
        for start in ["get pipe h", "get bad.json h", "get missing.json h", "get --bogus server.json h", "bogus h"] {
            try terminal.type("sessionctl \(start)")
            try terminal.press("Tab")
            try terminal.complete("z", to: "sessionctl \(start)z")
            let lines = try terminal.screen().split(separator: "\n").filter { !$0.hasPrefix("> ") }
            #expect(lines.isEmpty, "\(lines)")
            try terminal.clear()
        }
    }

    @Test("zsh and fish show descriptions", arguments: shells.filter { $0.shell != .bash })
    func descriptions(_ shell: ShellStartup) throws {
        let terminal = try ShellTerminal(shell, in: folder)
        try terminal.type("sessionctl get --")
        try terminal.press("Tab")
        try eventually("the description") { try terminal.screen().contains("print strings without quotes") }
    }
}
