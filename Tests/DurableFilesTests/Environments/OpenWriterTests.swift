import FileScripts
import Glibc
import TestSupport
import Testing

/// A directory shared by a group, with a file of one member that another member replaces: the kernel grants no lease on
/// it.
@Suite("Replacing a file that its owner has open", .asAnyUser, .needs(.setpriv, .python3))
struct OpenWriterTests {
    private let folder: TemporaryFolder
    private static let group = "1002"

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("there")
        try folder.write("there/notes", KeyValueText(["start": "1"]).bytes)
        let probe = Program.built("ReplaceProbe").path
        let preparation = """
            chmod 755 . && cp '\(probe)' probe && chown 1001:\(Self.group) there there/notes && chmod 2775 there &&
            chmod 664 there/notes
            """
        #expect(try Program.shell.run(["-c", preparation], in: folder).code == 0)
    }

    /// How the owner writes.
    enum Method: String, CaseIterable { case write, append, map }

    private func owner(_ method: Method) throws -> RunningProgram {
        let script = """
            import mmap, os, sys
            flags = os.O_RDWR | (os.O_APPEND if sys.argv[1] == "append" else 0)
            file = os.open("there/notes", flags)
            if sys.argv[1] == "map":
                memory = mmap.mmap(file, 0)
                os.close(file)
            print("open", flush=True)
            word = sys.stdin.readline().strip()
            if sys.argv[1] == "map" and word:
                memory[:] = memory[:].replace(b"start=1", b"start=2")
                memory.close()
            elif word:
                text = b"owner=1\\nstart=1\\n~end=1\\n"
                os.ftruncate(file, 0)
                os.lseek(file, 0, 0)
                os.write(file, text)
                os.close(file)
            """
        let program = try Programs.setpriv.program.start(
            ["--reuid", "1001", "--regid", Self.group, "--clear-groups", "python3", "-c", script, method.rawValue],
            in: folder, input: .lines, environment: ["PATH": "/usr/bin:/bin"])
        #expect(try program.line() == "open")
        return program
    }

    private func member(_ name: String, environment: [String: String] = [:]) throws -> RunningProgram {
        try Programs.setpriv.program.start(
            [
                "--reuid", "1234", "--regid", Self.group, "--clear-groups", "./probe", "work", "there/notes", name, "0",
                "1", "/dev/null",
            ], in: folder, environment: environment)
    }

    private func notes() throws -> [String: String]? {
        KeyValueText(complete: try folder.readBytes("there/notes"))?.values
    }

    private func leftovers() throws -> [String] {
        try Program.shell.run(["-c", "ls -A there"], in: folder).output.split(separator: "\n").map(String.init)
            .filter { $0 != "notes" }
    }

    @Test("What the owner writes after another user's replacement is merged", arguments: Method.allCases)
    func writesAfterwards(method: Method) throws {
        let owner = try owner(method)
        let member = try member("m")
        try eventually("the member's version is in place") { try notes()?["m.0"] == "1" }
        try owner.say("write")
        #expect(try owner.end().code == 0)
        #expect(try member.end() == Program.Result(code: 0))
        let expected = method == .map ? ["start": "2", "m.0": "1"] : ["start": "1", "m.0": "1", "owner": "1"]
        #expect(try notes() == expected)
        #expect(try leftovers() == [])
    }

    @Test("No displaced version remains if the owner keeps the file open without writing")
    func neverWrites() throws {
        let owner = try owner(.write)
        let member = try member("m")
        #expect(try member.end() == Program.Result(code: 0))
        #expect(try notes() == ["start": "1", "m.0": "1"])
        #expect(try leftovers() == [])
        try owner.say("")
        #expect(try owner.end().code == 0)
    }

    @Test("The next replacement merges the owner's edit if the replacing process was killed")
    func killed() throws {
        let owner = try owner(.write)
        let member = try member("m")
        try eventually("the displaced version exists") { try leftovers().contains { $0.contains("sm-displaced") } }
        member.send(SIGKILL)
        _ = try member.end()
        try owner.say("write")
        #expect(try owner.end().code == 0)
        #expect(try self.member("n").end() == Program.Result(code: 0))
        #expect(try notes() == ["start": "1", "m.0": "1", "n.0": "1", "owner": "1"])
        #expect(try leftovers() == [])
    }
}
