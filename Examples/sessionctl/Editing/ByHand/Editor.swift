import Glibc

/// The editor that the person has chosen, run on a file until it ends.
struct Editor {
    /// A line for the shell: quotes and options in it mean what they mean there.
    private let command: String

    /// What `VISUAL` says, or else `EDITOR`, or vi.
    static var chosen: Editor {
        for name in ["VISUAL", "EDITOR"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return Editor(command: value) }
        }
        return Editor(command: "vi")
    }

    /// What it is called in messages.
    private var title: String { "the editor, \(command.shortened(to: 60).visible)," }

    /// Returns when it has ended well.
    ///
    /// An interrupt from the terminal is its own business, as it is in front. Another signal that is to end this program
    /// is handed on, and waited for what the editor makes of it.
    func open(_ path: String) throws(Failure) {
        let process = try begin(path)
        var status: Int32 = 0
        var received: Set<Int32> = []
        while waitpid(process, &status, WNOHANG) == 0 {
            guard let ring = SignalBell.wait(), ring.number != SIGCHLD else { continue }
            received.insert(ring.number)
            if ring.isFromProgram { kill(process, ring.number) }
        }
        try check(status, received)
    }

    private func check(_ status: Int32, _ received: Set<Int32>) throws(Failure) {
        let (ending, code) = (status & 0x7F, status >> 8 & 0xFF)
        for number in [SIGTERM, SIGHUP] where received.contains(number) { throw .interrupted(by: number) }
        for number in [SIGINT, SIGQUIT] where received.contains(number) {
            // A shell between here and the editor says in its code how that ended.
            if ending == number || code == 128 + number { throw .interrupted(by: number) }
        }
        if ending != 0 { throw .no("\(title) was ended by signal \(ending): nothing was saved") }
        switch code {
        case 0: return
        case 126, 127: throw .refused("\(title) cannot be run; VISUAL or EDITOR names another one")
        default: throw .no("\(title) ended with exit status \(code): nothing was saved")
        }
    }

    /// The path is an argument of its own, so that nothing in it means anything to the shell, which makes way for the
    /// editor: signals are for that.
    private func begin(_ path: String) throws(Failure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this program ignores, an editor need not.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGPIPE, SIGXFSZ] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let words = ["sh", "-c", "exec \(command) \"$@\"", "sh", path]
        let line = words.map { strdup($0) } + [nil]
        defer { for word in line { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/bin/sh", nil, &attributes, line, environ)
        if failure != 0 { throw .refused("/bin/sh", errorNumber: failure) }
        return process
    }
}
