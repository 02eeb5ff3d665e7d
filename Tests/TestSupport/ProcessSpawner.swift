import Glibc

/// Starts a child process with `posix_spawn`.
struct ProcessSpawner {
    let executable: String
    let arguments: [String]
    let folder: String
    let environment: [String: String]
    /// The descriptors of the new process, numbered from 0.
    let descriptors: [Int32]

    /// A process that exits while its threads run still has their memory, and the leak sanitizer cannot follow all of
    /// Swift's references to it. Leaks are checked where no thread runs any more.
    static let sanitizerOptions = "detect_leaks=0"

    /// Starts the process in its own process group, with no signal blocked.
    func spawn() throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // Inherits nothing else: neither from the parent of the tests, nor what another test has just opened.
        for other in Int32(descriptors.count)..<1_024 { posix_spawn_file_actions_addclose(&actions, other) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(of: &attributes)

        let settings = environment.isEmpty ? [] : ["/usr/bin/env"] + environment.map { "\($0.key)=\($0.value)" }
        let move = #"export ASAN_OPTIONS="${ASAN_OPTIONS-\#(Self.sanitizerOptions)}"; cd "$0" && exec "$@""#
        let words = ["sh", "-c", move, folder] + settings + [executable] + arguments
        let line = words.map { strdup($0) } + [nil]
        defer { for word in line { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, line, environ)
        guard failure == 0 else { throw TestSupportError("no shell: \(String(cString: strerror(failure)))") }
        return process
    }

    /// Resets signals that the tests may have been started with as ignored, in the background or by nohup, and unblocks
    /// all signals.
    private func setSignals(of attributes: inout posix_spawnattr_t) {
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGHUP] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }
}
