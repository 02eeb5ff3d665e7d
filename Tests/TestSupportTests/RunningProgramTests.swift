import Glibc
import TestSupport
import Testing

@Suite("Running programs")
struct RunningProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ script: String, input: Program.Input = .nothing) throws -> RunningProgram {
        try Program.shell.start(["-c", script], in: folder, input: input)
    }

    @Test("Each line is returned when it is written, and an unfinished last line at the end")
    func lines() throws {
        let echo = try start("while read line; do echo \"got $line\"; done; printf rest", input: .lines)
        for text in ["a", "b", ""] {
            try echo.say(text)
            #expect(try echo.line() == "got \(text)")
        }
        echo.closeInput()
        #expect(try echo.line() == "rest")
        #expect(try echo.line() == nil)
        #expect(try echo.end() == Program.Result(code: 0))
    }

    @Test("Waiting for a line of a silent program fails after the time limit")
    func silence() throws {
        let silent = try start("echo oops >&2; echo one; sleep 1000")
        #expect(try silent.line(with: "one") == "one")
        let error = #expect(throws: TestSupportError.self) { try silent.line(within: .milliseconds(20)) }
        #expect(error?.description == "the program is silent for too long: oops\n")
    }

    @Test("A program that a signal ends returns its exit code and unread output")
    func signals() throws {
        let program = try start("trap 'echo bye; exit 3' TERM; echo set >&2; echo ready; while :; do sleep 0.01; done")
        #expect(try program.line() == "ready")
        program.send(SIGTERM)
        #expect(try program.end() == Program.Result(code: 3, output: "bye\n", messages: "set\n"))

        let killed = try start("echo ready; exec sleep 1000")
        #expect(try killed.line() == "ready")
        killed.send(SIGKILL)
        #expect(try killed.end() == Program.Result(code: 128 + SIGKILL))
    }

    @Test("A program and its children are killed after the time limit and on release")
    func killed() throws {
        let script = "sleep 1000 & echo $!; wait"
        var slow: RunningProgram? = try start(script)
        let first = try #require(Int32(try slow?.line() ?? ""))
        #expect(throws: TestSupportError.self) { try slow?.end(within: .milliseconds(20)) }
        eventually("the child process is gone") { Self.hasEnded(first) }

        slow = try start(script)
        let second = try #require(Int32(try slow?.line() ?? ""))
        slow = nil
        eventually("the child process is gone") { Self.hasEnded(second) }
    }

    /// Whether the process has ended; it may remain as a zombie of its new parent.
    private static func hasEnded(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 else { return true }
        guard let status = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 100)
        guard fgets(&line, 100, status) != nil else { return true }
        return line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.contains(") Z ")
    }

    @Test("A program inherits no other descriptor, and writing to an ended one throws")
    func descriptors() throws {
        let gone = try start("exit 0", input: .lines)
        #expect(try gone.line() == nil)
        #expect(throws: TestSupportError.self) { for _ in 1...100_000 { try gone.say("is anybody there?") } }
        let result = try Program.shell.run(["-c", "ls /proc/self/fd"], in: folder)
        // 3 is the pipe that shows the end of the process, 4 the directory that ls reads.
        #expect(result.output == "0\n1\n2\n3\n4\n")
    }

    @Test("A program gets environment and input, and returns output and exit code")
    func runs() throws {
        let result = try Program.shell.run(
            ["-c", "echo $SETTING; cat; pwd; exit 7"], in: folder, input: .bytes(Array("text\n".utf8)),
            environment: ["SETTING": "a b"])
        #expect(result == Program.Result(code: 7, output: "a b\ntext\n\(folder.path)\n"))
        #expect(try Program("/nowhere/at/all").run(in: folder).code == 127)
    }
}
