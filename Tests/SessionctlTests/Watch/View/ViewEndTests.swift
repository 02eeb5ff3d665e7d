#if Curses
import Glibc
import TestSupport
import Testing

@Suite("The end of sessionctl watch --view", .needs(.tmux)) struct ViewEndTests {
    private let folder: TemporaryFolder
    /// Notes the modes of the terminal before and after the program, and its process.
    private let command: String

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"a": 1}"#)
        command = "stty -a >before; sh -c 'echo $$ >process; exec \"$@\"' sh '\(Program.sessionctl.path)' watch --view"
    }

    private func start(_ arguments: String) throws -> TmuxScreen {
        try TmuxScreen("\(command) \(arguments); code=$?; stty -a >after; (exit $code)", in: folder)
    }

    private func send(_ signal: Int32) throws {
        let process = try #require(Int32(try folder.read("process").dropLast()))
        #expect(kill(process, signal) == 0)
    }

    /// Expects the exit code, and the terminal as it was.
    private func expectEnd(_ code: Int32, of screen: TmuxScreen) throws {
        try screen.wait(for: "END \(code)")
        #expect(try folder.read("before") == folder.read("after"))
        #expect(try screen.isRestored())
        #expect(try !screen.lines().contains { $0.contains("quit") })
    }

    @Test("q ends it with 0") func quit() throws {
        let screen = try start("a.json")
        try screen.wait(for: "live")
        #expect(try !screen.isRestored())
        try screen.press("q")
        try expectEnd(0, of: screen)
    }

    @Test("A signal ends it as any program", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signals(number: Int32) throws {
        let screen = try start("a.json")
        try screen.wait(for: "live")
        try send(number)
        try expectEnd(128 + number, of: screen)
    }

    @Test("Control-C ends it") func interrupt() throws {
        let screen = try start("a.json")
        try screen.wait(for: "live")
        try screen.press("C-c")
        try expectEnd(128 + SIGINT, of: screen)
    }

    @Test("Conditions end it, and their message is printed after the screen is restored") func conditions() throws {
        var screen = try start("a.json --timeout 0.3 --until a=2")
        try expectEnd(1, of: screen)
        try screen.wait(for: "sessionctl: a.json: after 0.3 s: a is 1, not 2")
        screen = try start("a.json --until a=2 --timeout 100")
        try screen.wait(for: "live")
        try folder.put("a.json", #"{"a": 2}"#)
        try expectEnd(0, of: screen)
        screen = try start("a.json --count 2")
        try screen.wait(for: "live")
        try folder.put("a.json", #"{"a": 3, "b": 1}"#)
        try expectEnd(0, of: screen)
    }

    @Test("Control-Z stops it with a usable terminal, and fg continues") func stop() throws {
        try folder.write("commands", "stty -a >before; '\(Program.sessionctl.path)' watch --view a.json\n")
        let screen = try TmuxScreen("PS1='ready ' ENV= sh -i", in: folder)
        try screen.wait(for: "ready")
        try screen.press(". ./commands", "Enter")
        try screen.wait(for: "live")
        try screen.press("C-z")
        try screen.wait("the shell") { $0.contains { $0.contains("Stopped") } }
        #expect(try screen.isRestored())
        try screen.press("stty -a >after; echo stopped", "Enter")
        try screen.wait("the modes of the stopped program") { $0.contains("stopped") }
        #expect(try folder.read("before") == folder.read("after"))
        try folder.put("a.json", #"{"a": 77}"#)
        try screen.resize(columns: 70, rows: 20)
        try screen.press("fg", "Enter")
        try screen.wait("the redrawn view") { $0[0].hasSuffix("version 2 · live") && $0[19].hasPrefix(" q quit") }
        #expect(try screen.lines().contains { $0.contains("77") })
        try screen.press("q")
        try screen.wait("the shell") { !$0.contains { $0.contains("quit") } }
        #expect(try screen.isRestored())
    }

    @Test("Without a terminal, or with one that cannot draw, an error says so") func noTerminal() throws {
        let piped = try folder.sessionctl("watch", "--view", "a.json")
        #expect(piped.code == 2 && piped.output == "")
        #expect(piped.messages.hasPrefix("sessionctl: --view needs a terminal as standard input and output\n"))
        for (name, message) in [
            ("dumb", "the terminal dumb is unknown, or cannot move its cursor"),
            ("nonesuch", "the terminal nonesuch is unknown, or cannot move its cursor"), ("", "TERM is not set"),
        ] {
            let screen = try TmuxScreen("TERM='\(name)' '\(Program.sessionctl.path)' watch --view a.json", in: folder)
            try screen.wait(for: "END 3")
            try screen.wait(for: "sessionctl: --view: \(message)")
        }
    }

    @Test(
        "Options for other outputs are usage errors",
        arguments: ["--json", "--exec", "--initial", "--debounce=1", "--format={new}"])
    func options(other: String) throws {
        let result = try folder.sessionctl("watch", "--view", "a.json", other, "--", "true")
        #expect(result.code == 2)
        #expect(
            result.messages.hasPrefix(
                "sessionctl: --view and \(other.prefix { $0 != "=" }) exclude each other\n"))
    }
}
#endif
