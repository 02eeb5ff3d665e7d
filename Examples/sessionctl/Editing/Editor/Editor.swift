import Glibc
import SessionMirror
import VisibleText

/// The user's preferred editor.
struct Editor {
    /// A shell command, which may contain options and quotes.
    private let command: String

    /// The value of `VISUAL`, else of `EDITOR`, else vi.
    static var preferred: Editor {
        for name in ["VISUAL", "EDITOR"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return Editor(command: value) }
        }
        return Editor(command: "vi")
    }

    /// Its name in messages.
    private var title: String { "the editor (\(command.visible(upTo: 60)))" }

    /// Runs the editor on a file until it exits; throws unless the exit code is 0.
    ///
    /// A signal from the terminal reaches the editor by itself, as it is in the foreground. A termination signal from
    /// another program is forwarded to the editor, and this method still waits for it to exit.
    func run(on path: String) throws(Failure) {
        let process = try spawn(path)
        var status: Int32 = 0
        var received: Set<Int32> = []
        while waitpid(process, &status, WNOHANG) == 0 {
            guard let signal = SignalPipe.wait(), signal.number != SIGCHLD else { continue }
            received.insert(signal.number)
            if signal.isFromProgram { kill(process, signal.number) }
        }
        try check(status, received)
    }

    private func check(_ status: Int32, _ received: Set<Int32>) throws(Failure) {
        let (ending, code) = (status & 0x7F, status >> 8 & 0xFF)
        for number in [SIGTERM, SIGHUP] where received.contains(number) { throw .interrupted(by: number) }
        for number in [SIGINT, SIGQUIT] where received.contains(number) {
            // A shell between this program and the editor reports the signal in its exit code.
            if ending == number || code == 128 + number { throw .interrupted(by: number) }
        }
        if ending != 0 { throw .negative("\(title) was killed by signal \(ending): nothing was saved") }
        switch code {
        case 0: return
        case 126, 127: throw .systemError("\(title) cannot be run; set VISUAL or EDITOR")
        default: throw .negative("\(title) ended with exit status \(code): nothing was saved")
        }
    }

    /// The path is a separate argument, so that the shell does not interpret it. The shell executes the editor in its
    /// place, so that signals reach the editor. Signals that were ignored at the start stay ignored in the editor.
    private func spawn(_ path: String) throws(Failure) -> pid_t {
        do throws(ChildProcessError) {
            return try ChildProcess.spawn(
                "/bin/sh", ["-c", "exec \(command) \"$@\"", "sh", path], keepingIgnored: SignalPipe.terminationSignals)
        } catch {
            throw .systemError(error.program, errorNumber: error.errorNumber)
        }
    }
}
