import Glibc
import TestSupport
import Testing

@Suite("A program that goes on running")
struct RunningProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ script: String, input: Program.Input = .nothing) throws -> RunningProgram {
        try Program.shell.start(["-c", script], in: folder, input: input)
    }

    @Test("shows each line as it comes, and what stands behind the last one")
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

    @Test("is waited for only so long when it is silent")
    func silence() throws {
        let silent = try start("echo oops >&2; echo one; sleep 1000")
        #expect(try silent.line(with: "one") == "one")
        let error = #expect(throws: SystemRefusal.self) { try silent.line(within: .milliseconds(20)) }
        #expect(error?.description == "the program is silent for too long: oops\n")
    }

    @Test("ends by a signal, with what it wrote and nobody has read")
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

    @Test("is killed with all that it started, when it takes too long and when it is released")
    func killed() throws {
        let script = "sleep 1000 & echo $!; wait"
        var slow: RunningProgram? = try start(script)
        let first = try #require(Int32(try slow?.line() ?? ""))
        #expect(throws: SystemRefusal.self) { try slow?.end(within: .milliseconds(20)) }
        eventually("what it started is gone") { Self.isGone(first) }

        slow = try start(script)
        let second = try #require(Int32(try slow?.line() ?? ""))
        slow = nil
        eventually("what it started is gone") { Self.isGone(second) }
    }

    /// Gone, or dead and waiting for whoever inherited it.
    private static func isGone(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 else { return true }
        guard let status = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 100)
        guard fgets(&line, 100, status) != nil else { return true }
        return line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.contains(") Z ")
    }

    @Test("leaves no descriptor open, and may write to a pipe that nobody reads")
    func descriptors() throws {
        let gone = try start("exit 0", input: .lines)
        #expect(try gone.line() == nil)
        #expect(throws: SystemRefusal.self) { for _ in 1...100_000 { try gone.say("is anybody there?") } }
        let result = try Program.shell.run(["-c", "ls /proc/self/fd"], in: folder)
        // 3 tells when it is over, 4 is the listing's own
        #expect(result.output == "0\n1\n2\n3\n4\n")
    }

    @Test("gets settings, bytes to read, and its exit code told")
    func runs() throws {
        let result = try Program.shell.run(
            ["-c", "echo $SETTING; cat; pwd; exit 7"], in: folder, input: .bytes(Array("text\n".utf8)),
            environment: ["SETTING": "a b"])
        #expect(result == Program.Result(code: 7, output: "a b\ntext\n\(folder.path)\n"))
        #expect(try Program("/nowhere/at/all").run(in: folder).code == 127)
    }
}
