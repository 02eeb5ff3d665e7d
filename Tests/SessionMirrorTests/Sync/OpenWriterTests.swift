import TestSupport
import Testing

/// A directory of a group, a file of one member, and a service of another member that saves it: the kernel grants no
/// lease on it.
@Suite("Saving into a file that its owner has open", .asAnyUser, .needs(.setpriv, .python3))
struct OpenWriterTests {
    private let otherUser: OtherUserProcess
    private var folder: TemporaryFolder { otherUser.environment.folder }

    init() throws {
        otherUser = try OtherUserProcess()
        try otherUser.environment.run(
            """
            mkdir there && printf '{ "a": 1, "b": 1 }\\n' > there/a.json && chown 1001:65534 there there/a.json &&
            chmod 2775 there && chmod 664 there/a.json
            """)
    }

    private func owner() throws -> RunningProgram {
        let script = """
            import os, sys
            file = os.open("there/a.json", os.O_RDWR)
            print("open", flush=True)
            text = sys.stdin.readline().strip()
            if text:
                os.ftruncate(file, 0)
                os.write(file, text.encode() + b"\\n")
            """
        let program = try Programs.setpriv.program.start(
            ["--reuid", "1001", "--regid", "65534", "--clear-groups", "python3", "-c", script],
            in: folder, input: .lines, environment: ["PATH": "/usr/bin:/bin"])
        #expect(try program.line() == "open")
        return program
    }

    /// Starts a service, and returns it after its commit.
    private func commit() throws -> RunningProgram {
        let service = try otherUser.start("service", "there/a.json")
        #expect(try service.line() == "begun")
        try service.say("listen")
        #expect(try service.line() == "listening")
        try service.say("commit /a 2")
        #expect(try service.line() == "done")
        #expect(try folder.read("there/a.json") == "{ \"a\": 2, \"b\": 1 }\n")
        // The commit has not waited: the replaced version is still there.
        #expect(try leftovers().count == 1)
        return service
    }

    private func leftovers() throws -> [String] {
        try Program.shell.run(["-c", "ls -A there"], in: folder).output.split(separator: "\n").map(String.init)
            .filter { $0 != "a.json" }
    }

    private func end(_ service: RunningProgram) throws -> String {
        try service.say("exit")
        let end = try service.end()
        #expect(end.code == 0)
        return end.messages
    }

    @Test("A commit does not wait for the file's owner, and what the owner writes afterwards is merged")
    func merges() throws {
        let owner = try owner()
        let service = try commit()
        try owner.say(#"{ "a": 1, "b": 7 }"#)
        #expect(try owner.end().code == 0)
        try eventually("both changes are in the file") {
            try folder.read("there/a.json") == "{ \"a\": 2, \"b\": 7 }\n"
        }
        try eventually("no extra file is left") { try leftovers() == [] }
        // The file has the value shortly before the service has it.
        try eventually("the service has the merged value") {
            try service.say("get /b")
            let line = try service.line()
            #expect(line == "1" || line == "7")
            return line == "7"
        }
        #expect(try end(service) == "")
    }

    @Test("A commit of a file that nobody has open leaves no extra file and reports nothing")
    func nobody() throws {
        let service = try commit()
        try eventually("no extra file is left") { try leftovers() == [] }
        try service.say("get /a")
        // Nothing was reported in between.
        #expect(try service.line() == "2")
        #expect(try end(service) == "")
    }

    @Test("A file that its owner keeps open longer than two seconds is reported")
    func staysOpen() throws {
        let owner = try owner()
        let service = try commit()
        let report = try #require(try service.line())
        #expect(
            report.contains(
                "warning: another program still has the version open that was replaced two seconds ago, and anything it"
            )
        )
        try eventually("no extra file is left") { try leftovers() == [] }
        #expect(try end(service) == "")
        try owner.say("")
        #expect(try owner.end().code == 0)
    }

    @Test("The next save merges what the owner wrote after the service had ended")
    func later() throws {
        let owner = try owner()
        let service = try commit()
        #expect(try end(service) == "")
        try owner.say(#"{ "a": 1, "b": 1, "c": 3 }"#)
        #expect(try owner.end().code == 0)
        let next = try otherUser.start("service", "there/a.json")
        #expect(try next.line() == "begun")
        try next.say("commit /d 4")
        #expect(try next.line() == "done")
        try eventually("all changes are in the file") {
            let text = try folder.read("there/a.json")
            return ["\"a\": 2", "\"b\": 1", "\"c\": 3", "\"d\": 4"].allSatisfy(text.contains)
        }
        try eventually("no extra file is left") { try leftovers() == [] }
        _ = try end(next)
    }
}
