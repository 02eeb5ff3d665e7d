import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Another program can have the kernel hold back everybody who opens a file, until it gives it free.
@Suite("A file that another program keeps to itself")
struct LeaseTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    /// Takes a lease; says when somebody asks for the file, and gives it back, changed, when it is told to or at once.
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

    @Test("is tried again with growing pauses until it is given back", .needs(.python3))
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
            calls.made == Array(repeating: [.open, .pause], count: 4).flatMap { $0 } + [
                .open, .look, .read, .look, .close,
            ])
        #expect(calls.pauses == [50, 100, 200, 400])
    }

    @Test("comes as soon as it is given back, by the clock too", .needs(.python3))
    func givenBackAtOnce() throws {
        let other = try startHolder(input: .nothing)
        #expect(try file.read(limit: 100).bytes == Array("changed".utf8))
        #expect(try other.end().output == "asked\ngiven back\n")
    }

    @Test("and never gives back is refused after two seconds", .needs(.python3))
    func kept() throws {
        let other = try startHolder(input: .lines)
        let error = #expect(throws: FileError.self) { try file.read(limit: 100, through: calls) }
        #expect(error?.code == .busy && error?.operation == .open && error?.errorNumber == EAGAIN)
        #expect(
            error?.description
                == "\(file.path): Another program keeps the file to itself; it holds a lease on it, see /proc/locks")
        #expect(calls.pauses.prefix(4) == [50, 100, 200, 400])
        #expect(calls.pauses.reduce(0, +) == 2_000_000 && calls.pauses.max() == 50_000)
        #expect(try calls.openDescriptors == [] && folder.openDescriptors() == 0)
        // Looking needs no opening.
        #expect(try file.identity().size == 6)
        withExtendedLifetime(other) {}
    }
}
