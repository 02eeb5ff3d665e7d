import CLinux
import Glibc
import SessionMirror

/// A running command and the programs that it has started: a process group.
struct CommandProcess {
    /// The number of the process, and of its group.
    private let group: pid_t
    /// The status of the command, once it has ended.
    private(set) var status: Int32?

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
        var status: Int32 = 0
        while true {
            let process = waitpid(-1, &status, WNOHANG)
            if process == group { self.status = status }
            if process == 0 || (process < 0 && errno != EINTR) { break }
        }
        return waitpid(-group, &status, WNOHANG) < 0 && errno == ECHILD
    }
}
