import TestSupport
import Testing

/// A process that opens a file for reading and writing, and writes and closes it on command. Opening may block, so it
/// needs a process of its own.
final class WriterProcess {
    private let program: RunningProgram
    private var isDone = false

    init(of name: String, in folder: TemporaryFolder) throws {
        let script = """
            import os, sys
            file = os.open(sys.argv[1], os.O_RDWR)
            print("open", flush=True)
            for line in sys.stdin:
                if line == "close\\n":
                    break
                size = os.fstat(file).st_size
                text = os.pread(file, 1000, 0)[:size] + b" " + line[:-1].encode()
                os.pwrite(file, text, 0)
                print("written", flush=True)
            os.close(file)
            print("closed", flush=True)
            """
        program = try Programs.python3.program.start(["-c", script, name], in: folder, input: .lines)
    }

    func expectOpen() throws { #expect(try program.line() == "open") }

    /// Writes as soon as the file is open.
    func write(_ word: String) throws {
        try expectOpen()
        try say(word)
    }

    func say(_ word: String, closes: Bool = true) throws {
        try program.say(word)
        #expect(try program.line() == "written")
        if closes { try close() }
    }

    func close() throws {
        try program.say("close")
        #expect(try program.line() == "closed")
    }

    func writeOnce(_ word: String) throws {
        if isDone { return }
        isDone = true
        try write(word)
    }
}
