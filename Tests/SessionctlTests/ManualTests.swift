import TestSupport
import Testing

@Suite("sessionctl manual") struct ManualTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("pages")
        #expect(try folder.sessionctl("manual", "--to", "pages") == Program.Result(code: 0))
    }

    /// The names of all files with pages.
    private func pages() throws -> [String] {
        let result = try folder.shell("cd pages && ls")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("--to writes a page for the program, each command and the format of files") func files() throws {
        let commands = try CommandLineInventory(folder).commands
        let expected = commands.map { "sessionctl-\($0).1" } + ["sessionctl.1", "sessionmirror.7"]
        #expect(try Set(pages()) == Set(expected))
        for command in commands {
            let printed = try folder.sessionctl("manual", command)
            #expect(try printed == Program.Result(code: 0, output: folder.read("pages/sessionctl-\(command).1")))
        }
        #expect(try folder.sessionctl("manual").output == folder.read("pages/sessionctl.1"))
        #expect(try folder.sessionctl("manual", "sessionmirror").output == folder.read("pages/sessionmirror.7"))
        #expect(try folder.sessionctl("manual", "--to=pages") == Program.Result(code: 0))
    }

    @Test("mandoc has no warnings", .needs(.mandoc)) func mandoc() throws {
        for page in try pages() {
            let result = try Programs.mandoc.program.run(["-T", "lint", "-W", "warning", "pages/\(page)"], in: folder)
            #expect(result == Program.Result(code: 0), "\(page)")
        }
    }

    @Test("groff has no warnings, in UTF-8 and in ASCII", .needs(.man), arguments: ["C.UTF-8", "C"])
    func groff(locale: String) throws {
        for page in try pages() {
            let result = try Programs.man.program.run(
                ["--warnings", "-l", "pages/\(page)"], in: folder, environment: ["LC_ALL": locale, "MANPAGER": "cat"])
            #expect(result.code == 0 && result.messages == "", "\(page): \(result.messages)")
        }
    }

    @Test("A page has the sections in the usual order, and only ASCII characters") func sections() throws {
        let order = [
            "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES",
            "SEE ALSO",
            "STANDARDS",
        ]
        let everywhere = ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"]
        for page in try pages() {
            let text = try folder.read("pages/\(page)")
            #expect(text.utf8.allSatisfy { $0 < 0x80 })
            let found = text.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) }
            #expect(found == order.filter(found.contains), "\(page)")
            let needed = page.hasSuffix(".1") ? everywhere + ["SYNOPSIS", "OPTIONS", "EXIT STATUS"] : everywhere
            #expect(needed.allSatisfy(found.contains), "\(page): \(found)")
        }
    }

    @Test("Text that can be copied is shown as it is", .needs(.man)) func escapes() throws {
        let page = try Programs.man.program.run(
            ["-l", "pages/sessionctl-set.1"], in: folder,
            environment: ["LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "120"])
        #expect(page.output.contains(#"$ sessionctl set server.json http.port=8080 'log="debug"'"#))
        #expect(page.output.contains("$ sessionctl set --dry-run server.json http.tls true"))
        let watch = try folder.read("pages/sessionctl-watch.1")
        #expect(watch.contains(#"server.json:4: http.port: 8080 \(-> 9090"#))
    }

    @Test("No line is wider than a terminal of 80 columns", .needs(.man)) func width() throws {
        for page in try pages() {
            let result = try Programs.man.program.run(
                ["-l", "pages/\(page)"], in: folder,
                environment: ["LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "80"])
            for line in result.output.split(separator: "\n") { #expect(line.count <= 80, "\(page): \(line)") }
        }
    }

    @Test("An unknown command, and an operand beside --to, are rejected") func wrongUsage() throws {
        let unknown = try folder.sessionctl("manual", "gte")
        #expect(unknown.code == 2 && unknown.messages.hasPrefix("sessionctl: unknown command gte; did you mean get?\n"))
        #expect(try folder.sessionctl("manual", "get", "--to=pages").code == 2)
        let missing = try folder.sessionctl("manual", "--to=missing")
        let message = "sessionctl: missing/sessionctl.1: No such file or directory\n"
        #expect(missing == Program.Result(code: 3, messages: message))
    }
}
