import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch --restart and --signal") struct WatchRestartTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"n": 1}"#)
    }

    /// Prints the number of the process and the new value, and ends with SIGTERM.
    private static let service = "trap 'echo stopped; exit' TERM; echo $$ $SESSION_NEW; while :; do sleep 0.01; done"

    /// The number of the process in a line of the service, which must have this value.
    private func process(in line: String?, with value: String) throws -> String {
        let parts = try #require(line).split(separator: " ", maxSplits: 1).map(String.init)
        #expect(parts.dropFirst().first == value, "\(parts)")
        return parts[0]
    }

    @Test("--restart starts the command at once, and stops and starts it for each change") func restart() throws {
        let watch = try ExecProcess("--restart", in: folder, running: Self.service)
        let first = try process(in: watch.line(), with: #"{"n":1}"#)
        try watch.put(2)
        #expect(try watch.line() == "stopped")
        let second = try process(in: watch.line(), with: "2")
        watch.program.send(SIGTERM)
        #expect(try watch.line() == "stopped")
        #expect(try watch.end().code == 128 + SIGTERM)
        for process in [first, second] { try ExecProcess.waitForEnd(of: process) }
        #expect(try watch.messages() == [])
    }

    @Test("--restart kills a command that ignores SIGTERM, and then starts it for the newest value") func stubborn()
        throws
    {
        let watch = try ExecProcess(
            "--restart", "--grace", "0.2", in: folder,
            running: #"trap '' TERM; echo $$ "$SESSION_NEW"; while :; do sleep 0.01; done"#)
        let first = try process(in: watch.line(), with: #"{"n":1}"#)
        for number in 2...5 { try watch.put(number) }
        try ExecProcess.waitForEnd(of: first)
        let second = try process(in: watch.line(), with: "5")
        watch.program.send(SIGTERM)
        watch.program.send(SIGTERM)
        #expect(try watch.end().code == 128 + SIGTERM)
        try ExecProcess.waitForEnd(of: second)
    }

    @Test("--restart stops what the command has forked before it starts again") func forks() throws {
        let watch = try ExecProcess(
            "--restart", in: folder, running: "sh -c 'echo $$ $SESSION_NEW; exec sleep 1000' & exit 0")
        let first = try process(in: watch.line(), with: #"{"n":1}"#)
        try watch.put(2)
        let second = try process(in: watch.line(), with: "2")
        try ExecProcess.waitForEnd(of: first)
        watch.program.send(SIGTERM)
        #expect(try watch.end().code == 128 + SIGTERM)
        try ExecProcess.waitForEnd(of: second)
    }

    @Test("A command of --restart that has ended by itself is started by the next change") func ended() throws {
        let watch = try ExecProcess("--restart", "--count", "2", in: folder, running: "echo $SESSION_NEW; exit 3")
        #expect(try watch.line() == #"{"n":1}"#)
        try eventually("the end is reported") { try !watch.messages().isEmpty }
        try watch.put(2)
        #expect(try watch.line() == "2")
        #expect(try watch.end().code == 1)
        #expect(try watch.messages().allSatisfy { $0 == "sessionctl: /bin/sh ended with exit status 3" })
    }

    @Test("A run that is stopped has not failed, whatever the runs before it have done") func stoppedRun() throws {
        let watch = try ExecProcess(
            "--restart", "--until", "n=3", in: folder,
            running: "echo $SESSION_NEW; test $SESSION_NEW = 2 && exec sleep 1000; exit 3")
        #expect(try watch.line() == #"{"n":1}"#)
        try eventually("the end is reported") { try !watch.messages().isEmpty }
        try watch.put(2)
        #expect(try watch.line() == "2")
        try watch.put(3)
        #expect(try watch.end().code == 0)
    }

    @Test("--no-initial starts the command with the first change") func noInitial() throws {
        let watch = try ExecProcess("--restart", "--no-initial", in: folder, running: Self.service)
        try watch.put(2)
        _ = try process(in: watch.line(), with: "2")
    }

    @Test("--initial runs the command for the current value") func initial() throws {
        let watch = try ExecProcess(
            "--initial", "--count", "1", in: folder,
            running: #"echo "$SESSION_PATH,${SESSION_OLD-none},$SESSION_NEW"; cat"#)
        #expect(try watch.line() == #",none,{"n":1}"#)
        #expect(try watch.line() == #"{"event":"initial","file":"a.json","version":1,"value":{"n":1}}"#)
        #expect(try watch.end().code == 0)
    }

    @Test("With an invalid file, the command is run for its first value", arguments: ["{}", #"{"n": 2}"#])
    func initialInvalid(text: String) throws {
        try folder.put("a.json", "{")
        let watch = try ExecProcess("--initial", "--count", "1", in: folder, running: "cat")
        try eventually("the problem is reported") { try watch.program.readMessages().contains("error: ") }
        try folder.put("a.json", text)
        let event = JSONLine(try JSON(parsing: #require(try watch.line())))
        let value = try JSON(parsing: text)
        #expect(event.name == "initial" && event.json["value"] == value)
    }

    @Test("With a missing file, the command is run for an empty value") func initialMissing() throws {
        try folder.remove("a.json")
        let watch = try ExecProcess("--initial", "--count", "1", in: folder, running: "echo $SESSION_NEW")
        #expect(try watch.line() == "{}")
    }

    @Test("--exec --signal sends the signal to the running command, and starts it if it does not run") func signal()
        throws
    {
        let watch = try ExecProcess(
            "--signal", "usr1", in: folder,
            running: "trap 'echo heard' USR1; echo $SESSION_NEW; until test -e go; do sleep 0.01; done")
        try watch.put(2)
        #expect(try watch.line() == "2")
        try watch.put(3)
        #expect(try watch.line() == "heard")
        try folder.write("go", "")
        let messages = try watch.program.readMessages()
        try eventually("the command ends") {
            try folder.put("a.json", #"{"n": \#(Int.random(in: 4...1_000_000))}"#)
            return try watch.program.readMessages() != messages
        }
    }

    @Test("--signal --pid sends the signal to the process of the file", arguments: ["HUP", "SIGHUP", "1"])
    func processFile(name: String) throws {
        let service = try Program.shell.start(
            ["-c", "trap 'echo reloaded' HUP; echo ' '$$ >pid; echo ready; while :; do sleep 0.01; done"], in: folder)
        #expect(try service.line() == "ready")
        let watch = try ExecProcess("--signal", name, "--pid", "pid", "--count", "1", in: folder, running: nil)
        try watch.put(2)
        #expect(try service.line() == "reloaded")
        #expect(try watch.end().code == 0)
    }

    @Test(
        "A file without the number of a process is reported, and watching goes on",
        arguments: [
            ("", "an empty file is not the number of a process"), ("1\n", "1 is not the number of a process"),
            ("-7", "-7 is not the number of a process"), ("0", "0 is not the number of a process"),
            ("99999999999", "99999999999 is not the number of a process"),
            ("12 13", "12 13 is not the number of a process"), ("x", "x is not the number of a process"),
            ("4194304000", "4194304000 is not the number of a process"),
            ("4194305", "there is no process 4194305"),
        ])
    func wrongProcess(text: String, message: String) throws {
        try folder.write("pid", text)
        let watch = try ExecProcess("--signal", "HUP", "--pid", "pid", "--count", "2", in: folder, running: nil)
        for number in 2...3 {
            try watch.put(number)
            try watch.waitForChange(to: number)
        }
        #expect(try watch.end().code == 1)
        let reported = try watch.messages()
        #expect(
            reported.allSatisfy { $0.hasPrefix("sessionctl: pid: ") && $0.contains(message.prefix(20)) }, "\(reported)")
    }

    @Test("A missing file of a process is reported, and found when it appears") func missingProcessFile() throws {
        let watch = try ExecProcess("--signal", "TERM", "--pid", "pid", "--count", "2", in: folder, running: nil)
        try watch.put(2)
        try eventually("the file is missed") { try watch.messages() == ["sessionctl: pid: No such file or directory"] }
        let service = try Program.shell.start(["-c", "echo $$ >pid; echo; exec sleep 1000"], in: folder)
        _ = try service.line()
        try watch.put(3)
        #expect(try service.end().code == 128 + SIGTERM)
        #expect(try watch.end().code == 0)
    }
}
