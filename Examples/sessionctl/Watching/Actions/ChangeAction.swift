import Glibc
import LosslessJSON
import VisibleText

extension Option {
    static let exec = Option(name: "exec", help: "run the command after -- for each change, without a shell")
    static let restart = Option(name: "restart", help: "stop the running command, and start it again")
    static let grace = Option(
        name: "grace", value: "S", help: "time between SIGTERM and SIGKILL, in seconds (default 10)")
    static let signal = Option(
        name: "signal", value: "NAME", help: "send a signal, such as HUP, to the command or process")
    static let pid = Option(name: "pid", value: "FILE", help: "send the signal to the process whose number is in FILE")
}

/// What `watch` does for each change beside printing it.
enum ChangeAction {
    /// Runs a command.
    case run(ChangeCommand)
    /// Sends a signal to the process that a file names.
    case signal(SignalNumber, pidFile: String)

    /// Nil if there is nothing to do.
    init?(_ arguments: Arguments) throws(Failure) {
        try ChangeAction.check(arguments)
        let signal = try arguments.value(of: .signal).map(SignalNumber.init)
        if let signal, let file = arguments.value(of: .pid) {
            try ChangeAction.check(pidFile: file)
            self = .signal(signal, pidFile: file)
        } else if arguments.has(.exec) {
            self = .run(try ChangeCommand(arguments, signal))
        } else {
            return nil
        }
    }

    /// Throws for what is most likely a mistake: standard input, which can be read once, or the number of a process.
    private static func check(pidFile: String) throws(Failure) {
        if pidFile == "-" { throw .usageError("--pid: standard input (-) cannot be read for each change") }
        if pid_t(pidFile) != nil, access(pidFile, F_OK) != 0 {
            throw .usageError("--pid: there is no file \(pidFile); write the name of a file that has the number")
        }
    }

    /// Throws for options that do not belong together.
    private static func check(_ arguments: Arguments) throws(Failure) {
        for (first, second) in [(Option.exec, Option.pid), (.restart, .signal)]
        where arguments.has(first) && arguments.has(second) {
            throw .usageError("--\(first.name) and --\(second.name) exclude each other")
        }
        for (option, needed) in [(Option.restart, Option.exec), (.grace, .exec), (.pid, .signal)]
        where arguments.has(option) && !arguments.has(needed) {
            throw .usageError("--\(option.name) needs --\(needed.name)")
        }
        if arguments.has(.signal), !arguments.has(.exec), !arguments.has(.pid) {
            throw .usageError("--signal needs --exec or --pid")
        }
    }
}

/// The command of `--exec`.
struct ChangeCommand {
    /// What happens to the running command when something changes.
    enum WhenBusy {
        /// It runs to its end, and then again for the newest value.
        case wait
        case restart
        case signal(SignalNumber)
    }

    /// The program and its arguments.
    let words: [String]
    let whenBusy: WhenBusy
    /// The time between SIGTERM and SIGKILL.
    let grace: WatchRequest.Limit

    fileprivate init(_ arguments: Arguments, _ signal: SignalNumber?) throws(Failure) {
        words = arguments.firstAfterDashes.map { Array(arguments.operands[$0...]) } ?? []
        guard let program = words.first, !program.isEmpty else {
            throw .usageError("the command is missing: write it last, after --, as in --exec -- CMD ARG")
        }
        whenBusy = signal.map(WhenBusy.signal) ?? (arguments.has(.restart) ? .restart : .wait)
        grace = try WatchRequest.Limit(arguments.value(of: .grace) ?? "10", of: .grace)
        if let error = ChangeCommand.error(starting: program) {
            let advice = program.contains(" ") ? "; --exec uses no shell: write each argument as a word of its own" : ""
            throw .systemError("\(title): \(String(cString: strerror(error)))\(advice)")
        }
    }

    /// Its name in messages.
    var title: String { words[0].visible(upTo: 60) }

    /// Why the program cannot be executed; nil if it can. One without a slash is looked up in `PATH`.
    private static func error(starting program: String) -> Int32? {
        if program.contains("/") { return error(executing: program) }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let errors = path.split(separator: ":", omittingEmptySubsequences: false).map {
            error(executing: "\($0.isEmpty ? "." : $0)/\(program)")
        }
        if errors.contains(nil) { return nil }
        return errors.contains(EACCES) ? EACCES : ENOENT
    }

    private static func error(executing file: String) -> Int32? {
        var status = stat()
        if stat(file, &status) != 0 { return errno }
        let isExecutable = status.st_mode & S_IFMT == S_IFREG && access(file, X_OK) == 0
        return isExecutable ? nil : EACCES
    }
}

/// A signal of the command line.
struct SignalNumber {
    let rawValue: Int32

    private static let names: KeyValuePairs<String, Int32> = [
        "HUP": SIGHUP, "INT": SIGINT, "QUIT": SIGQUIT, "KILL": SIGKILL, "USR1": SIGUSR1, "USR2": SIGUSR2,
        "ALRM": SIGALRM, "TERM": SIGTERM, "CONT": SIGCONT, "STOP": SIGSTOP, "TSTP": SIGTSTP, "WINCH": SIGWINCH,
    ]

    /// A name, with or without SIG, or a number.
    init(_ text: String) throws(Failure) {
        let name = text.uppercased()
        if let known = Self.names.first(where: { name == $0.key || name == "SIG\($0.key)" }) {
            rawValue = known.value
        } else if let number = Int32(text), 1...64 ~= number {
            rawValue = number
        } else {
            let names = Self.names.map(\.key).joined(separator: ", ")
            throw .usageError("--signal: \(text.visible(upTo: 60)) is not a signal; signals are 1 to 64, \(names)")
        }
    }

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// `SIGTERM`, or `signal 40`.
    var title: String {
        Self.names.first { $0.value == rawValue }.map { "SIG\($0.key)" } ?? "signal \(rawValue)"
    }
}
