import Glibc
import TestSupport
import Testing

@Suite("Processes of sessionctl watch --exec") struct WatchExecProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"n": 1}"#)
    }

    @Test(
        "A command that does not read its standard input, or closes it, is not affected",
        arguments: ["true", "exec <&-"])
    func closedInput(action: String) throws {
        let watch = try ExecProcess("--count", "2", in: folder, running: "\(action); echo $SESSION_PATH")
        for number in 2...3 {
            try folder.put("a.json", #"{"n": \#(number), "text": "\#(String(repeating: "x", count: 1 << 20))"}"#)
            #expect(try watch.line() != nil)
        }
        #expect(try watch.end().code == 0)
    }

    @Test("A command that hangs is waited for; changes are still reported") func hanging() throws {
        let watch = try ExecProcess(in: folder, running: "echo $$; exec sleep 1000")
        try watch.put(2)
        let process = try watch.line()
        try watch.put(3)
        try watch.waitForChange(to: 3)
        watch.program.send(SIGTERM)
        #expect(try watch.end().code == 128 + SIGTERM)
        try ExecProcess.waitForEnd(of: process)
    }

    @Test("A run lasts until the processes that the command has forked have ended") func forking() throws {
        let watch = try ExecProcess(
            in: folder, running: "(until test -e go; do sleep 0.01; done; echo end) & echo begin $SESSION_NEW")
        try watch.put(2)
        #expect(try watch.line() == "begin 2")
        try watch.put(3)
        try watch.waitForChange(to: 3)
        try folder.write("go", "")
        #expect(try watch.line() == "end")
        #expect(try watch.program.line(with: "begin") == "begin 3")
    }

    @Test("The exit status of a run is that of the command, not of what it has forked") func forkedStatus() throws {
        let watch = try ExecProcess(
            "--count", "1", in: folder, running: "(exit 3) & wait; (sleep 0.05; exit 4) & exit 0")
        try watch.put(2)
        #expect(try watch.end().code == 0)
    }

    @Test("A daemon, which leaves the process group, is neither waited for nor stopped", .needs(.setsid)) func daemon()
        throws
    {
        let watch = try ExecProcess(
            in: folder,
            running: "setsid sh -c 'echo $$; exec sleep 60 >/dev/null' & until test -e go; do sleep 0.01; done")
        try watch.put(2)
        let daemon = try #require(pid_t(watch.line() ?? ""))
        defer { kill(daemon, SIGKILL) }
        try folder.write("go", "")
        try watch.put(3)
        let other = try #require(pid_t(watch.line() ?? ""))
        defer { kill(other, SIGKILL) }
        watch.program.send(SIGTERM)
        #expect(try watch.end().code == 128 + SIGTERM)
        #expect(kill(daemon, 0) == 0)
    }

    @Test("A process that leaves the process group after the end of the command is not waited for", .needs(.setsid))
    func lateDaemon() throws {
        let watch = try ExecProcess(
            in: folder,
            running: "(sleep 0.1; exec setsid sh -c 'echo $$; exec sleep 60 >/dev/null') & echo $SESSION_NEW")
        var daemons: [pid_t] = []
        defer { for daemon in daemons { kill(daemon, SIGKILL) } }
        for number in 2...3 {
            try watch.put(number)
            #expect(try watch.line() == "\(number)")
            daemons.append(try #require(pid_t(watch.line() ?? "")))
        }
    }

    @Test("The end of a process that left the process group is received while nothing runs", .needs(.setsid))
    func adoptedProcess() throws {
        let watch = try ExecProcess(
            in: folder,
            running: """
                echo $$
                setsid sh -c 'echo $$; until test -e go; do sleep 0.01; done; exit 3' &
                until test -e left; do sleep 0.01; done
                """)
        try watch.put(2)
        let (command, other) = (try watch.line(), try watch.line())
        try folder.write("left", "")
        try ExecProcess.waitForEnd(of: command)
        try folder.write("go", "")
        try ExecProcess.waitForEnd(of: other)
        #expect(try watch.messages() == [])
    }

    @Test("A command that ignores SIGTERM is killed after the grace period, with what it has forked") func stubborn()
        throws
    {
        let watch = try ExecProcess(
            "--grace", "0.1", in: folder,
            running: "trap '' TERM; sleep 1000 & echo $!; echo $$; while :; do sleep 1; done")
        try watch.put(2)
        let processes = [try watch.line(), try watch.line()]
        watch.program.send(SIGTERM)
        #expect(try watch.end().code == 128 + SIGTERM)
        #expect(
            try watch.messages() == ["sessionctl: /bin/sh has not ended 0.1 s after SIGTERM, and is killed"])
        for process in processes { try ExecProcess.waitForEnd(of: process) }
    }

    @Test("A second signal kills a command that ignores SIGTERM at once") func secondSignal() throws {
        let watch = try ExecProcess(
            "--grace", "1000", in: folder, running: "trap 'echo heard' TERM; echo $$; while :; do sleep 0.01; done")
        try watch.put(2)
        let process = try watch.line()
        watch.program.send(SIGINT)
        #expect(try watch.line() == "heard")
        watch.program.send(SIGINT)
        #expect(try watch.end().code == 128 + SIGINT)
        try ExecProcess.waitForEnd(of: process)
    }

    @Test("A signal to watch stops the command, and ends watch", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signals(number: Int32) throws {
        let watch = try ExecProcess(
            in: folder, running: "trap 'echo stopped; exit' TERM; sh -c 'echo $$; exec sleep 1000' & wait")
        try watch.put(2)
        let process = try watch.line()
        watch.program.send(number)
        #expect(try watch.line() == "stopped")
        #expect(try watch.end().code == 128 + number)
        try ExecProcess.waitForEnd(of: process)
    }

    @Test("A command that is stopped with SIGSTOP is ended, too") func stopped() throws {
        let watch = try ExecProcess(in: folder, running: "echo $$; kill -STOP $$")
        try watch.put(2)
        let process = try watch.line()
        watch.program.send(SIGTERM)
        #expect(try watch.end().code == 128 + SIGTERM)
        try ExecProcess.waitForEnd(of: process)
    }

    @Test("A timeout stops the command") func timeout() throws {
        let watch = try ExecProcess(
            "--initial", "--timeout", "0.2", in: folder, running: "echo $$; exec sleep 1000")
        let process = try watch.line()
        let result = try watch.end()
        #expect(result.code == 1 && result.messages.hasSuffix("sessionctl: a.json: timed out after 0.2 s\n"))
        try ExecProcess.waitForEnd(of: process)
    }

    @Test("The end of the reader of standard output stops the command") func closedOutput() throws {
        let script =
            #"{ "$0" watch a.json --initial --exec -- sh -c 'echo $$; exec sleep 1000'; echo $? >code; } | head -n 1"#
        let result = try folder.shell(script)
        try ExecProcess.waitForEnd(of: result.output.split(separator: "\n").first.map(String.init))
        #expect(try folder.read("code") == "3\n")
    }

    @Test("The command is run while standard error is closed or full", arguments: ["&-", "/dev/full"])
    func closedMessages(target: String) throws {
        let script = #"exec "$0" watch a.json --initial --count 1 --exec -- sh -c 'echo $SESSION_NEW' 2>"# + target
        #expect(try folder.shell(script) == Program.Result(code: 0, output: "{\"n\":1}\n"))
    }

    @Test("A signal ends watch and the command while the reader of standard error does not read") func blockedMessages()
        throws
    {
        try folder.put("b.json", #"{"n": "\#(String(repeating: "x", count: 1 << 20))"}"#)
        let script = #"""
            mkfifo messages
            { head -c 100000 >beginning; echo >blocked; exec sleep 30; } <messages & reader=$!
            "$0" watch a.json --format '{new}' --initial --exec -- sh -c 'echo $$ >process; exec sleep 1000' \
                2>messages & watch=$!
            until test -s process; do sleep 0.01; done
            mv b.json a.json
            until test -s blocked; do sleep 0.01; done
            kill $watch
            wait $watch
            echo $?
            kill $reader
            cat process
            """#
        let lines = try folder.shell(script).output.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(128 + SIGTERM)")
        try ExecProcess.waitForEnd(of: lines.last)
    }

    @Test("watch --until lets the run for the awaited value end") func until() throws {
        let watch = try ExecProcess("--until", "n=2", in: folder, running: "sleep 0.05; echo $SESSION_NEW")
        try watch.put(2)
        let result = try watch.end()
        #expect(result.code == 0 && result.output == "2\n")
    }
}
