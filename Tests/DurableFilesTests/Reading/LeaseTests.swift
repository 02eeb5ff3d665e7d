import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Another program holds a lease, so that the kernel blocks all processes that open the file.
@Suite("Reading a file under another program's lease")
struct LeaseTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    /// Takes a lease, reports a lease break, and releases the lease after a change, on command or at once.
    private let holder = """
        import fcntl, os, signal, sys
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGIO})
        file = os.open("a.json", os.O_RDWR)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        print("leased", flush=True)
        signal.sigwait({signal.SIGIO})
        print("asked", flush=True)
        sys.stdin.readline()
        os.write(file, b"changed")
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        print("given back", flush=True)
        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "before")
    }

    private func startHolder(input: Program.Input) throws -> RunningProgram {
        let program = try Programs.python3.program.start(["-c", holder], in: folder, input: input)
        try #require(try program.line() == "leased")
        return program
    }

    @Test("A read retries with growing pauses until the lease is released", .needs(.python3))
    func givenBack() throws {
        let other = try startHolder(input: .lines)
        calls.before = { call, count in
            guard call == .pause else { return }
            #expect(throws: Never.self) {
                if count == 1 { #expect(try other.line() == "asked") }
                if count == 4 {
                    try other.say("enough")
                    #expect(try other.line() == "given back")
                }
            }
        }
        let contents = try file.read(limit: 100, through: calls)
        #expect(contents.bytes == Array("changed".utf8) && contents.isStable)
        #expect(
            calls.callsOnFile == Array(repeating: [.openWithoutLinks, .pause], count: 4).flatMap { $0 } + [
                .openWithoutLinks, .status, .read, .status, .close,
            ])
        #expect(calls.pauses == [50, 100, 200, 400])
    }

    @Test("A read with real pauses returns the contents written before the lease is released", .needs(.python3))
    func givenBackAtOnce() throws {
        let other = try startHolder(input: .nothing)
        #expect(try file.read(limit: 100).bytes == Array("changed".utf8))
        #expect(try other.end().output == "asked\ngiven back\n")
    }

    @Test("A read fails with `busy` if the lease is not released within two seconds", .needs(.python3))
    func kept() throws {
        let other = try startHolder(input: .lines)
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == .busy && error?.operation == .open && error?.errorNumber == EAGAIN)
        #expect(
            error?.description
                == "\(file.path): Another program holds a lease on the file; see /proc/locks")
        #expect(calls.pauses.prefix(4) == [50, 100, 200, 400])
        #expect(calls.pauses.reduce(0, +) == 2_000_000 && calls.pauses.max() == 50_000)
        #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
        // Reading the status does not open the file.
        #expect(try file.identity().size == 6)
        withExtendedLifetime(other) {}
    }
}
