import Glibc

/// Performs the action of `watch` for changes, if there is one.
struct ChangeActions {
    private var runner: CommandRunner?
    private var sender: SignalSender?
    /// The files whose changes the process has not been told.
    private var changed: Set<Int> = []

    init(_ action: ChangeAction?) {
        switch action {
        case .run(let command):
            runner = CommandRunner(command)
            // Before the first command, so that the end of none is missed.
            SignalPipe.install(interruptsMessages: true)
        case .signal(let signal, let file): sender = SignalSender(signal, pidFile: file)
        case nil: break
        }
    }

    /// The descriptor through which signals are received, if there is one.
    var inputs: [Int32] { runner == nil ? [] : [SignalPipe.descriptor] }

    /// When ``act(_:)`` must be called at the latest.
    var deadline: ContinuousClock.Instant? { runner?.deadline }

    /// The number of runs that have begun, or of signals.
    var count: Int { runner?.count ?? sender?.count ?? 0 }

    /// Whether the last run, or the last signal, failed.
    var hasFailed: Bool { runner?.hasFailed ?? sender?.hasFailed ?? false }

    var isRunning: Bool { runner?.isRunning ?? false }
    var isIdle: Bool { runner?.isIdle ?? changed.isEmpty }

    /// Whether a command that runs is stopped when `watch` ends.
    var isLongRunning: Bool { runner?.isLongRunning ?? false }

    mutating func fileChanged(_ file: Int) {
        runner?.fileChanged(file)
        if sender != nil { changed.insert(file) }
    }

    /// Receives the signals that have arrived. Throws for one that ends the program.
    mutating func receiveSignals() throws(Failure) {
        guard runner != nil else { return }
        while let signal = SignalPipe.take() {
            if signal.number != SIGCHLD { throw .interrupted(by: signal.number) }
            runner?.childEnded()
        }
    }

    /// Performs the action for the changes of files that have not been taken yet, at most as often as `--count` says.
    mutating func act(on files: inout [WatchedFile], _ request: WatchRequest) {
        runner?.proceedIfDue()
        let limit = request.count ?? .max
        if count >= limit { return }
        runner?.act(upTo: limit) { files[$0].takeChange(request) }
        let changes = changed.compactMap { files[$0].takeChange(request) }
        changed = []
        if !changes.isEmpty { sender?.send() }
    }

    /// Stops the command, and waits until all its processes have ended.
    mutating func stop() { runner?.stop() }
}
