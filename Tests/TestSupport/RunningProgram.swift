import Glibc

/// A child process that runs beside the test. On release, it and its children are killed.
///
/// ```swift
/// let service = try Program.built("livesettings").start(["server.json"], in: folder)
/// #expect(try service.line() == "port 8080")
/// service.send(SIGTERM)
/// #expect(try service.end().code == 0)
/// ```
package final class RunningProgram {
    /// The ID of the process, and of its process group.
    package let identifier: Int32
    private let output: Int32
    private let messages: Int32
    /// The read end of a pipe whose write end every process of the group holds: end of file means that all have exited.
    private let lifetimePipe: Int32
    private var input: Int32?
    private var unread: [UInt8] = []
    private var isReaped = false

    init(
        _ program: Program, _ arguments: [String], in folder: TemporaryFolder, input: Program.Input,
        environment: [String: String]
    ) throws {
        let given = try Self.open(input)
        let output = try Descriptor.newPipe()
        let lifetimePipe = try Descriptor.newPipe()
        (messages, self.output, self.lifetimePipe) = (try Descriptor.newFile(), output.reader, lifetimePipe.reader)
        self.input = given.writer
        defer { for descriptor in [given.reader, output.writer, lifetimePipe.writer] { close(descriptor) } }
        identifier = try ProcessSpawner(
            executable: program.path, arguments: arguments, folder: folder.path, environment: environment,
            descriptors: [given.reader, output.writer, messages, lifetimePipe.writer]
        ).spawn()
    }

    deinit {
        if !isReaped {
            kill(-identifier, SIGKILL)
            _ = reap()
        }
        for descriptor in [output, messages, lifetimePipe, input].compactMap({ $0 }) { close(descriptor) }
    }

    private static func open(_ input: Program.Input) throws -> (reader: Int32, writer: Int32?) {
        switch input {
        case .nothing: return (try Descriptor.open("/dev/null", O_RDONLY), nil)
        case .descriptor(let descriptor): return (descriptor, nil)
        case .bytes(let bytes):
            let file = try Descriptor.newFile()
            try Descriptor.write(bytes, to: file)
            lseek(file, 0, SEEK_SET)
            return (file, nil)
        case .lines:
            // A write to a process that has exited must not end the tests.
            signal(SIGPIPE, SIG_IGN)
            let (reader, writer) = try Descriptor.newPipe()
            let flags = fcntl(reader, F_GETFL)
            _ = fcntl(reader, F_SETFL, flags & ~O_NONBLOCK)
            return (reader, writer)
        }
    }

    /// Whether the process has exited by itself. Its children may still run.
    package var hasExited: Bool {
        var information = siginfo_t()
        let failure = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return isReaped || failure == 0 && information.si_signo == SIGCHLD
    }

    package func send(_ signal: Int32) { kill(identifier, signal) }

    /// Writes a line to its standard input, which must be ``Program/Input/lines``.
    package func say(_ line: String) throws {
        guard let input else { throw TestSupportError("this program has no input to say \(line) to") }
        try Descriptor.write(Array("\(line)\n".utf8), to: input)
    }

    /// Closes its standard input.
    package func closeInput() {
        if let input { close(input) }
        input = nil
    }

    /// Returns what it has written to standard error so far.
    package func readMessages() throws -> String { String(decoding: try Descriptor.read(messages), as: UTF8.self) }
}

extension RunningProgram {
    /// Waits for the next line of its output; nil at the end of the output.
    package func line(within limit: Duration = .patience) throws -> String? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            if try !readMore(before: deadline) { return try takeLastLine() }
        }
    }

    /// Waits for the next line that contains `text`, and drops those before it.
    package func line(with text: String, within limit: Duration = .patience) throws -> String {
        let deadline = ContinuousClock.now + limit
        var others: [String] = []
        do {
            while let line = try line(within: deadline - .now) {
                if line.contains(text) { return line }
                others.append(line)
            }
        } catch {
            throw TestSupportError("no line with \(text) after \(others): \(error)")
        }
        throw TestSupportError("the program ended without a line with \(text) after \(others): \(try readMessages())")
    }

    private func takeLastLine() throws -> String? {
        defer { unread = [] }
        return unread.isEmpty ? nil : String(decoding: unread, as: UTF8.self)
    }

    /// Waits for output; false at end of file.
    private func readMore(before deadline: ContinuousClock.Instant) throws -> Bool {
        guard try wait(for: output, before: deadline) else {
            throw TestSupportError("the program is silent for too long: \(try readMessages())")
        }
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(output, &part, part.count)
        guard count >= 0 || errno == EINTR || errno == EAGAIN else { throw TestSupportError.last("read") }
        unread.append(contentsOf: part.prefix(max(count, 0)))
        return count != 0
    }

    private func wait(for descriptor: Int32, before deadline: ContinuousClock.Instant) throws -> Bool {
        while true {
            let rest = max(0, Int32((deadline - .now) / .milliseconds(1)))
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            switch poll(&request, 1, rest) {
            case 0: return false
            case -1 where errno != EINTR: throw TestSupportError.last("poll")
            case -1: continue
            default: return true
            }
        }
    }

    /// Waits until it and its children have exited, and returns the unread output. Kills them after the time limit.
    package func end(within limit: Duration = .patience) throws -> Program.Result {
        closeInput()
        let deadline = ContinuousClock.now + limit
        do {
            while try readMore(before: deadline) {}
            guard try wait(for: lifetimePipe, before: deadline) else {
                throw TestSupportError("the program took too long")
            }
        } catch {
            kill(-identifier, SIGKILL)
            _ = reap()
            throw error
        }
        let status = reap()
        let signal = status & 0x7F
        return Program.Result(
            code: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            output: String(decoding: unread, as: UTF8.self), messages: try readMessages())
    }

    private func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status
    }
}
