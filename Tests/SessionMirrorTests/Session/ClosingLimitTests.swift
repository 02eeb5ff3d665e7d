import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// Checks that closing returns whatever other programs do to the file.
@Suite("Time limit of closing") struct ClosingLimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "Closing times out while the file server hangs, leaves the session open, and later saves the changes",
        .requiresRoot, .needs(.unshare, .bindfs, .mount), .timeLimit(.minutes(5)))
    func silentServer() throws {
        let fixture = try FUSEService(in: folder)
        let (service, server) = (fixture.service, fixture.server)
        try service.say("set /a 2")
        #expect(try service.line() == "done")
        kill(server, SIGSTOP)
        try service.say("close")
        #expect(
            try service.line(within: .seconds(60))
                == "error timedOut: mounted/a.json: not saved within 10 s; not in the file: a")
        try service.say("set /b 3")
        #expect(try service.line() == "done")
        kill(server, SIGCONT)
        try service.say("close")
        #expect(try service.line(within: .seconds(60)) == "done")
        #expect(try JSON(parsing: folder.read("source/a.json")) == ["a": 2, "b": 3])
        try service.say("exit")
        #expect(try service.end().code == 0)
    }

    @Test(
        "Closing ends in time while the directory is locked and another program has the file open", .needs(.python3),
        .timeLimit(.minutes(5)))
    func heldFile() throws {
        try folder.write("server.json", "{}\n")
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let holder = try Programs.python3.program.start(
            [
                "-c",
                """
                import fcntl, os, sys
                lock = os.open(".", os.O_RDONLY)
                fcntl.flock(lock, fcntl.LOCK_EX)
                file = os.open("server.json", os.O_RDWR)
                print("held", flush=True)
                sys.stdin.read()
                """,
            ], in: folder, input: .lines)
        #expect(try holder.line() == "held")
        try session.update { $0.port = 2 }
        let begin = ContinuousClock.now
        do { try session.closeBlocking() } catch {
            #expect("\(error)".contains("not saved"))
            holder.closeInput()
            _ = try holder.end()
            try session.closeBlocking()
        }
        // The limit is ten seconds; the rest allows for a busy machine.
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(session.mirror.status.saving == .clean)
    }
}
