import Glibc
import SessionMirror

/// A shell command that runs in the foreground, with the path of a file as its last argument, until it exits.
///
/// A signal from the terminal reaches the command by itself. A termination signal from another program is forwarded to
/// it, and ``run(on:standardInput:)`` still waits for it to exit.
struct ForegroundCommand {
    /// How a run ended.
    struct Result {
        enum Exit {
            case exited(Int32)
            case killed(by: Int32)
        }

        let ending: Exit
        /// The termination signals that this program received meanwhile.
        let received: Set<Int32>

        /// SIGTERM or SIGHUP, if one was received.
        var termination: Int32? { [SIGTERM, SIGHUP].first(where: received.contains) }

        /// SIGINT or SIGQUIT, if one was received and ended the command.
        var interrupt: Int32? {
            [SIGINT, SIGQUIT].first { number in
                guard received.contains(number) else { return false }
                return switch ending {
                case .killed(let signal): signal == number
                // A shell between this program and the command reports the signal in its exit status.
                case .exited(let status): status == 128 + number
                }
            }
        }
    }

    /// May contain options, quotes and several commands.
    let text: String

    func run(on path: String, standardInput: Int32 = STDIN_FILENO) throws(Failure) -> Result {
        let process = try spawn(path, standardInput)
        var status: Int32 = 0
        var received: Set<Int32> = []
        while waitpid(process, &status, WNOHANG) == 0 {
            guard let signal = SignalPipe.wait(), signal.number != SIGCHLD else { continue }
            received.insert(signal.number)
            if signal.isFromProgram { kill(process, signal.number) }
        }
        // The command may have exited first of those that a signal was sent to.
        while let signal = SignalPipe.take() { if signal.number != SIGCHLD { received.insert(signal.number) } }
        let signal = status & 0x7F
        return Result(ending: signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal), received: received)
    }

    /// The path is a separate argument, so that the shell does not interpret it. The shell executes a single command in
    /// its place, so that signals reach that command. Signals that were ignored at the start stay ignored in it.
    private func spawn(_ path: String, _ standardInput: Int32) throws(Failure) -> pid_t {
        do throws(ChildProcessError) {
            return try ChildProcess.spawn(
                "/bin/sh", ["-c", "\(execution) \"$@\"", "sh", path], standardInput: standardInput,
                keepingIgnored: SignalPipe.terminationSignals)
        } catch {
            throw .systemError(error.program, errorNumber: error.errorNumber)
        }
    }

    /// With `exec` for a single command. Before `a && b` it would end the shell after the first, and it accepts neither
    /// `!` nor variables.
    private var execution: String {
        let isSingle = !text.contains { ";&|()<>{}!\n".contains($0) }
        let setsVariable = text.prefix { $0 != " " }.contains("=")
        return isSingle && !setsVariable ? "exec \(text)" : text
    }
}
