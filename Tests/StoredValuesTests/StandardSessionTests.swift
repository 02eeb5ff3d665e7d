import Glibc
import SessionMirror
import TestSupport
import Testing

/// Real programs with a standard session, each in an environment of its own.
@Suite("Static parameters: one line per setting") struct StandardSessionTests {
    private let folder: TemporaryFolder
    private let program: ProbeRun

    init() throws {
        folder = try TemporaryFolder()
        program = try ProbeRun(["HOME=\(folder.path)"], in: folder)
    }

    private let file = ".local/state/StoredProbe/session.json"

    @Test(
        "The first access needs no initialization; reading creates nothing; a key is in the file only when it was set")
    func firstAccess() throws {
        #expect(try program.say("show") == "true 0 [] hidden")
        #expect(try program.say("computed") == "5 0")
        #expect(try Program.shell.run(["-c", "ls -A"], in: folder).output == "")
        #expect(try program.say("hide") == "false")
        #expect(try program.say("flush") == "flushed")
        #expect(try folder.read(file) == "{\n  \"showColumn\": false\n}\n")
        let permissions = try Program.shell.run(
            ["-c", "stat -c %a .local .local/state .local/state/StoredProbe \(file)"], in: folder)
        #expect(permissions.output == "700\n700\n700\n600\n")
    }

    @Test("A value is there after a restart, and after a hand edit in between") func restart() throws {
        #expect(try program.say("count 3") == "3")
        #expect(try program.say("name ann") == "[\"ann\"]")
        try program.end("exit")
        let edited = try folder.read(file).replacing("3", with: "4, // by hand")
        try folder.write(file, edited.replacing("hand,", with: "hand"))
        let next = try ProbeRun(["HOME=\(folder.path)"], in: folder)
        #expect(try next.say("show") == "true 4 [\"ann\"] hidden")
        try folder.write(file, #"{ "count": 5 }"#)
        #expect(try next.say("wait 5") == "5")
    }

    @Test("An assignment survives exit and the return of main", arguments: ["exit", "return"]) func end(_ end: String)
        throws
    {
        #expect(try program.say("count 7") == "7")
        try program.end(end)
        #expect(try folder.read(file).contains("\"count\": 7"))
    }

    @Test(
        "A signal that ends the program loses at most what is younger than the delay; what was saved stays",
        arguments: [SIGTERM, SIGKILL])
    func signals(signal: Int32) throws {
        #expect(try program.say("count 3") == "3")
        #expect(try program.say("flush") == "flushed")
        #expect(try program.say("count 4") == "4")
        #expect(try program.end(by: signal).code == 128 + signal)
        let saved = try folder.read(file)
        #expect(["{\n  \"count\": 3\n}\n", "{\n  \"count\": 4\n}\n"].contains(saved))
        let next = try ProbeRun(["HOME=\(folder.path)"], in: folder)
        #expect(try next.say("count 5") == "5")
        try eventually("the value is saved after the delay") { try folder.read(file) == "{\n  \"count\": 5\n}\n" }
        #expect(try next.end(by: signal).code == 128 + signal)
        #expect(try folder.read(file) == "{\n  \"count\": 5\n}\n")
    }

    @Test("Updates of two programs add up; a rejected assignment has no effect and is reported") func updates() throws {
        let other = try ProbeRun(["HOME=\(folder.path)"], in: folder)
        #expect(try program.say("increment") == "1")
        #expect(try program.say("flush") == "flushed")
        #expect(try other.say("wait 1") == "1")
        #expect(try other.say("increment") == "2")
        #expect(try other.say("count -1") == "2")
        try eventually("the rejection is reported") {
            try other.messages().contains(
                "error: a value that the program assigned was rejected: \"count\" must not be")
        }
    }

    @Test("The file of the environment counts for a conformance that allows it") func environment() throws {
        let variables = [
            "STOREDPROBE_SESSION_FILE=\(folder.path)/o.json", "STATE_DIRECTORY=\(folder.path)/s",
            "XDG_STATE_HOME=\(folder.path)/x",
        ]
        let program = try ProbeRun(variables, in: folder)
        #expect(try program.say("where") == "\(folder.path)/o.json \(folder.path)/s/session.json")
        #expect(try program.say("count 1") == "1")
        #expect(try program.say("flush") == "flushed")
        #expect(try folder.read("o.json").contains("\"count\": 1"))
    }

    @Test("A program with the privileges of another user ignores the environment", .asAnyUser) func privileged() throws
    {
        let copied = try Program.shell.run(
            ["-c", "cp \(Program.built("StoredProbe").path) p && chown 65534 p && chmod 4755 p && chmod 755 ."],
            in: folder)
        #expect(copied.code == 0, "\(copied)")
        let program = try Program("/usr/bin/env").start(
            Program.emptyEnvironment + [
                "HOME=/h", "XDG_STATE_HOME=/x", "STATE_DIRECTORY=/s", "P_SESSION_FILE=/o", "./p",
            ], in: folder, input: .lines)
        try program.say("where")
        let home = try Program.shell.run(["-c", "getent passwd 65534 | cut -d: -f6"], in: folder).output.dropLast()
        let expected = "\(home)/.local/state/p/session.json"
        #expect(try program.line() == "\(expected) \(expected)")
    }

    @Test(
        "A location that cannot be used serves the defaults, keeps changes in memory and is a problem",
        arguments: [
            ("mkdir -p .local/state/StoredProbe/session.json", "content: invalid"),
            ("touch .local", "content: invalid"),
            ("mkdir -p .local/state/StoredProbe && echo '{ \"count\": 1,' >\(Self.path)", "content: invalid"),
            ("mkdir -p .local/state/StoredProbe && echo '{ \"showColumn\": 1 }' >\(Self.path)", "content: invalid"),
            ("mkdir -p .local/state/StoredProbe && ln -s session.json \(Self.path)", "content: invalid"),
        ])
    func unusable(script: String, status: String) throws {
        let result = try Program.shell.run(["-c", script], in: folder)
        #expect(result.code == 0, "\(result)")
        #expect(try program.say("show") == "true 0 [] hidden")
        #expect(try program.say("count 9") == "9")
        try eventually("the status has the problem") { try program.say("status").contains(status) }
        #expect(try program.say("show") == "true 9 [] hidden")
        let end = try program.end("exit")
        #expect(end.code == 0 && end.messages.contains("error: "), "\(end)")
    }

    @Test(
        "On a read-only file system the file's values are served, and changes stay in memory until they can be saved",
        .requiresRoot, .needs(.unshare, .nsenter, .mount))
    func readOnlyFileSystem() throws {
        for name in [".local", ".local/state", ".local/state/StoredProbe"] { try folder.createFolder(name) }
        try folder.write(file, "{ \"count\": 3 }\n")
        let path = folder.path
        let program = try ProbeRun(
            ["HOME=\(path)"], in: folder,
            after: "mount --bind '\(path)' '\(path)' && mount -o remount,bind,ro '\(path)'")
        #expect(try program.say("show") == "true 3 [] hidden")
        #expect(try program.say("count 9") == "9")
        let failure = try program.say("flush")
        #expect(failure.hasPrefix("error ") && failure.contains("ead-only file system"))
        #expect(try program.say("status").contains("saving: failing"))
        #expect(try program.say("show") == "true 9 [] hidden")
        #expect(try folder.read(file) == "{ \"count\": 3 }\n")
        let remounted = try Programs.nsenter.program.run(
            ["--target", "\(program.identifier)", "--mount", "mount", "-o", "remount,bind,rw", path], in: folder)
        #expect(remounted.code == 0, "\(remounted)")
        try eventually("the value is saved by a retry") { try folder.read(file) == "{ \"count\": 9 }\n" }
    }

    @Test(
        "A file or a directory without permission serves the defaults, keeps changes in memory and is a problem",
        .asAnyUser,
        arguments: [
            ("chmod 000 \(Self.path)", 0), ("chmod 700 .local", 0), ("chmod 755 .local/state/StoredProbe", 1),
        ])
    func noPermission(script: String, count: Int) throws {
        let result = try Program.shell.run(
            [
                "-c",
                "mkdir -p .local/state/StoredProbe && echo '{ \"count\": 1 }' >\(Self.path) && chmod -R a+rX . && \(script)",
            ], in: folder)
        #expect(result.code == 0, "\(result)")
        #expect(try program.say("become 54321") == "became 54321")
        #expect(try program.say("show") == "true \(count) [] hidden")
        #expect(try program.say("count 9") == "9")
        let failure = try program.say("flush")
        #expect(failure.hasPrefix("error ") && failure.contains("ermission"), "\(failure)")
        #expect(try program.say("show") == "true 9 [] hidden")
        #expect(try program.end("exit").messages.contains("error: "))
    }

    @Test("Of two programs with different types for a key, each serves what it can use, and says what it cannot")
    func differentTypes() throws {
        let other = try ProbeRun(["HOME=\(folder.path)"], in: folder)
        #expect(try other.say("text") == "none usable")
        #expect(try program.say("count 3") == "3")
        #expect(try program.say("flush") == "flushed")
        try eventually("the number arrives") {
            try other.say("text") == #"none "count" must be a string, found 3"#
        }
        #expect(try other.say("text many") == "many usable")
        #expect(try other.say("flush") == "flushed")
        try eventually("the text arrives") { try program.say("status").contains("content: invalid") }
        #expect(try program.say("show") == "true 3 [] hidden")
        try eventually("the problem is written") {
            try program.messages().contains(#":2:12: error: "count" must be a whole number, found "many""#)
        }
        #expect(try program.say("hide") == "false")
        #expect(try program.say("flush") == "flushed")
        #expect(try folder.read(file) == "{\n  \"count\": \"many\",\n  \"showColumn\": false\n}\n")
    }

    private static let path = ".local/state/StoredProbe/session.json"

    @Test("Without a home, values are kept in memory, and the problem says what to set", .asAnyUser) func noHome()
        throws
    {
        let program = try ProbeRun([], in: folder)
        #expect(try program.say("become 54321") == "became 54321")
        #expect(try program.say("where").hasPrefix("none: "))
        #expect(try program.say("count 9") == "9")
        #expect(try program.say("show") == "true 9 [] hidden")
        #expect(try program.say("status").contains("content: invalid"))
        let end = try program.end("exit")
        #expect(end.code == 0 && end.messages.contains("set XDG_STATE_HOME"), "\(end)")
    }

    @Test("Without any directory, values are kept in memory, and the problem says what to set") func noLocation() throws
    {
        let name = String(repeating: "n", count: 300)
        let program = try ProbeRun(["XDG_STATE_HOME=/\(name)/\(String(repeating: "d/", count: 2_500))"], in: folder)
        #expect(try program.say("show") == "true 0 [] hidden")
        #expect(try program.say("count 9") == "9")
        #expect(try program.say("show") == "true 9 [] hidden")
        #expect(try program.say("status").contains("content: invalid"))
        #expect(try program.end("exit").messages.contains("error: "))
    }
}

/// A running probe with an environment of its own.
struct ProbeRun {
    private let program: RunningProgram

    init(_ variables: [String], in folder: TemporaryFolder) throws {
        program = try Program("/usr/bin/env").start(
            Program.emptyEnvironment + variables + [Program.built("StoredProbe").path], in: folder, input: .lines)
    }

    /// Runs a script first, in a mount namespace of the program's own.
    init(_ variables: [String], in folder: TemporaryFolder, after script: String) throws {
        program = try Programs.unshare.program.start(
            ["--mount", "/bin/sh", "-c", "\(script) && exec env \"$@\"", "sh"] + Program.emptyEnvironment + variables
                + [
                    Program.built("StoredProbe").path
                ], in: folder, input: .lines)
    }

    /// The ID of the process.
    var identifier: Int32 { program.identifier }

    /// Sends a command; returns the answer.
    func say(_ command: String) throws -> String {
        try send(command)
        return try answer()
    }

    func send(_ command: String) throws { try program.say(command) }

    func answer() throws -> String { try program.line() ?? "no answer" }

    /// What the program has written to standard error.
    func messages() throws -> String { try program.readMessages() }

    func end(by signal: Int32) throws -> Program.Result {
        program.send(signal)
        return try program.end()
    }

    @discardableResult
    func end(_ command: String) throws -> Program.Result {
        try program.say(command)
        return try program.end()
    }
}
