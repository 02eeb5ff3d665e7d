import Glibc

/// Runs the command of `--exec` for changes: one at a time, for the newest values.
///
/// A run ends when all processes of the command's group have ended. Processes that leave the group, as daemons do, are
/// not waited for.
struct CommandRunner {
    private let command: ChangeCommand
    private var process: CommandProcess?
    /// The files whose changes the command has not received, the oldest change first.
    private var changed: [Int] = []
    /// Whether SIGTERM has been sent.
    private var isStopping = false
    /// When SIGKILL follows SIGTERM.
    private var killTime: ContinuousClock.Instant?
    /// The number of runs that have begun.
    private(set) var count = 0
    private(set) var hasFailed = false

    init(_ command: ChangeCommand) { self.command = command }

    /// When ``proceedIfDue()`` must be called.
    var deadline: ContinuousClock.Instant? { [killTime, process?.nextCheck].compactMap(\.self).min() }

    var isRunning: Bool { process != nil }

    /// Whether nothing runs or waits to be run.
    var isIdle: Bool { process == nil && changed.isEmpty }

    /// Whether a command that runs when `watch` ends is stopped, because it does not end by itself.
    var isLongRunning: Bool { if case .wait = command.whenBusy { false } else { true } }

    mutating func fileChanged(_ file: Int) {
        changed.removeAll { $0 == file }
        changed.append(file)
    }

    /// Starts, stops or signals the command, if there are changes.
    ///
    /// - Parameters:
    ///   - limit: The number of runs and signals after which there are no more.
    ///   - take: Returns the change of a file since the last one that was taken; nil if there is none.
    mutating func act(upTo limit: Int, _ take: (Int) -> FileChange?) {
        while !changed.isEmpty, count < limit {
            switch command.whenBusy {
            case .wait where isRunning: return
            case .wait: if let change = take(changed.removeFirst()) { start(change) }
            case .restart where isRunning: return requestEnd()
            case .restart, .signal:
                // One run, or one signal, is enough for the changes of all files.
                let newest = changed.compactMap(take).last
                changed = []
                if let newest { startOrSignal(newest) }
            }
        }
    }

    private mutating func startOrSignal(_ change: FileChange) {
        guard let process, case .signal(let signal) = command.whenBusy else { return start(change) }
        process.send(signal.rawValue)
        count += 1
    }

    private mutating func start(_ change: FileChange) {
        count += 1
        do throws(Failure) {
            process = try CommandProcess(command, for: change)
            hasFailed = false
        } catch {
            hasFailed = true
            error.report()
        }
    }

    /// Sends SIGTERM, unless the command is being stopped already.
    private mutating func requestEnd() {
        guard !isStopping, let process else { return }
        isStopping = true
        process.send(SIGTERM)
        // A stopped process receives SIGTERM only when it continues.
        process.send(SIGCONT)
        killTime = .now + command.grace.duration
    }

    /// Does what the deadline is for.
    mutating func proceedIfDue() {
        if let check = process?.nextCheck, check <= .now { childEnded() }
        if let killTime, killTime <= .now { kill() }
    }

    /// Sends SIGKILL, because the command has not ended within the grace period.
    private mutating func kill() {
        killTime = nil
        process?.send(SIGKILL)
        Output.messages.writeLine(
            "\(Sessionctl.name): \(command.title) has not ended \(command.grace.text) after SIGTERM, and is killed")
    }

    /// Called after SIGCHLD, and when processes may have left the group.
    mutating func childEnded() {
        guard isRunning else { return CommandProcess.receiveStatuses() }
        guard process?.hasEnded() == true, let ended = process else { return }
        defer { (process, isStopping, killTime) = (nil, false, nil) }
        if isStopping { return }
        hasFailed = ended.status != 0
        if let status = ended.status, let text = CommandRunner.describe(status) {
            Output.messages.writeLine("\(Sessionctl.name): \(command.title) \(text)")
        }
    }

    /// How the command ended; nil for success.
    private static func describe(_ status: Int32) -> String? {
        if status == 0 { return nil }
        let signal = status & 0x7F
        if signal != 0 { return "was ended by \(SignalNumber(rawValue: signal).title)" }
        return "ended with exit status \(status >> 8 & 0xFF)"
    }

    /// Stops the command, and returns when all its processes have ended: with SIGTERM, and after the grace period or a
    /// further termination signal with SIGKILL.
    mutating func stop() {
        changed = []
        requestEnd()
        while isRunning {
            childEnded()
            guard isRunning else { return }
            switch SignalPipe.wait(until: deadline) {
            case .some(let signal) where signal.number != SIGCHLD: process?.send(SIGKILL)
            default: proceedIfDue()
            }
        }
    }
}
