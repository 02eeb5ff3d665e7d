import CLinux
import Glibc
import SessionMirror

/// A running command and the programs that it has started: a process group.
struct CommandProcess {
    /// The number of the process, and of its group.
    private let group: pid_t
    /// The status of the command, once it has ended.
    private(set) var status: Int32?
    /// When to call ``hasEnded()`` again, because no signal reports that a process leaves the group; nil while the command
    /// itself runs.
    private(set) var nextCheck: ContinuousClock.Instant?
    private var pause = Duration.milliseconds(1)

    /// Starts the command; its standard input is a file with the change, so that no reader is needed.
    ///
    /// Processes that the command leaves behind become children of this process, which can wait for them.
    init(_ command: ChangeCommand, for change: FileChange) throws(Failure) {
        _ = clinux_adopt_orphans()
        let input = clinux_open_memory_file()
        if input < 0 { throw .systemError(command.title, errorNumber: errno) }
        defer { close(input) }
        try Output(descriptor: input, title: command.title).write(change.input)
        lseek(input, 0, SEEK_SET)
        do throws(ChildProcessError) {
            group = try ChildProcess.spawn(
                command.words[0], Array(command.words.dropFirst()), settingVariables: change.variables,
                standardInput: input, keepingIgnored: SignalPipe.terminationSignals, inNewGroup: true)
        } catch {
            throw .systemError(error.description)
        }
    }

    /// Sends a signal to all processes of the group.
    ///
    /// The number of a group cannot be that of another one while a process of it, or its parent's knowledge of it, remains:
    /// ``hasEnded()`` reports the end of both.
    func send(_ signal: Int32) { kill(-group, signal) }

    /// Whether all processes of the group have ended. Receives the status of those that have.
    mutating func hasEnded() -> Bool {
        CommandProcess.receiveStatuses { if $0 == group { status = $1 } }
        if status == nil { return false }
        // Leaves the status of a process that ends now to the next call.
        var information = siginfo_t()
        if waitid(P_PGID, id_t(group), &information, WEXITED | WNOHANG | WNOWAIT) < 0, errno == ECHILD { return true }
        nextCheck = .now + pause
        pause = min(pause * 2, .seconds(1))
        return false
    }

    /// Receives the statuses of all processes that have ended, also of those that have left their group.
    static func receiveStatuses(_ receive: (_ process: pid_t, _ status: Int32) -> Void = { _, _ in }) {
        var status: Int32 = 0
        while true {
            let process = waitpid(-1, &status, WNOHANG)
            if process > 0 {
                receive(process, status)
            } else if process == 0 || errno != EINTR {
                return
            }
        }
    }
}
