import Glibc

/// The program as it was built, run as a process of its own.
///
/// Foundation's `Process` would do, but leaks, and the address sanitizer tells.
struct Program {
    /// What a run showed.
    struct Result: Equatable {
        /// The exit code; 128 and the number of the signal for a process that a signal ended.
        var code: Int32
        var output = ""
        var messages = ""
    }

    struct CannotRun: Error { let reason: String }

    /// Lies where the tests themselves were built.
    static let path = {
        let resolved = realpath("/proc/self/exe", nil)!
        defer { free(resolved) }
        let tests = String(cString: resolved)
        return String(tests[...tests.lastIndex(of: "/")!]) + "sessionctl"
    }()

    private static let limitInMilliseconds: Int32 = 120_000

    /// Runs it, or another executable, to its end in `folder`; one that hangs is killed, with all that it started.
    static func run(
        _ arguments: [String], of executable: String = path, in folder: TemporaryFolder, input: Int32? = nil
    ) throws -> Result {
        let (output, messages) = (try folder.newCapture(), try folder.newCapture())
        let input = try input ?? openFile("/dev/null", O_RDONLY)
        defer { for descriptor in [input, output, messages] { close(descriptor) } }

        // Every process of the run holds the writing end, so that the reading end tells when all of them are gone.
        let alive = try folder.newPipe()
        defer { close(alive.reader) }
        let process: pid_t
        do {
            defer { close(alive.writer) }
            process = try spawn(
                executable, arguments, in: folder.path, descriptors: [input, output, messages, alive.writer])
        }
        var end = pollfd(fd: alive.reader, events: Int16(POLLIN), revents: 0)
        let hangs = poll(&end, 1, limitInMilliseconds) == 0
        if hangs { kill(-process, SIGKILL) }

        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw CannotRun(reason: "the process is lost") }
        if hangs { throw CannotRun(reason: "it took too long") }
        let signal = status & 0x7F
        return Result(
            code: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            output: try readFile(output), messages: try readFile(messages))
    }

    /// Begins a process in a group of its own, whose descriptors from 0 on are those given.
    private static func spawn(
        _ executable: String, _ arguments: [String], in folder: String, descriptors: [Int32]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        let move = #"cd "$0" && exec "$@""#
        let line = (["sh", "-c", move, folder, executable] + arguments).map { strdup($0) } + [nil]
        defer { for argument in line { free(argument) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, line, environ)
        guard failure == 0 else { throw CannotRun(reason: "no shell: \(String(cString: strerror(failure)))") }
        return process
    }
}

extension Program {
    static func openFile(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CannotRun(reason: "\(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }

    /// What a file holds, from its beginning.
    static func readFile(_ descriptor: Int32) throws -> String {
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { throw CannotRun(reason: "short read") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
