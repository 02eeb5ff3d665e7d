import Glibc
import Synchronization

/// Receives SIGCHLD, the termination signals and others through a pipe, in commands that run programs or draw on the
/// terminal.
///
/// The handler only writes a byte to the pipe, which is polled together with other descriptors. So no signal is lost
/// between a check and a wait, and none terminates the program while it saves.
enum SignalPipe {
    /// `isFromProgram` tells signals sent by programs from those of the terminal, which the editor receives as well.
    struct ReceivedSignal {
        let number: Int32
        let isFromProgram: Bool
    }

    static let terminationSignals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
    private static let sentByProgram: UInt8 = 0x80

    private static let pipe: (reader: Int32, writer: Int32) = {
        var descriptors: [Int32] = [-1, -1]
        guard Glibc.pipe(&descriptors) == 0 else { fatalError("no pipe: \(String(cString: strerror(errno)))") }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        return (descriptors[0], descriptors[1])
    }()

    /// Whether a termination signal ends the wait for the reader of messages.
    private static let interruptsMessages = Atomic(false)
    /// Whether a termination signal has arrived.
    private static let isTerminating = Atomic(false)

    /// Readable while a signal is waiting to be received.
    static var descriptor: Int32 { pipe.reader }

    /// Installs the handlers. Termination signals that were ignored when the program started stay ignored.
    ///
    /// - Parameters:
    ///   - others: Signals to receive beside the termination signals.
    ///   - interruptsMessages: Whether messages that nobody reads are dropped after a termination signal.
    static func install(_ others: [Int32] = [SIGCHLD], interruptsMessages: Bool = false) {
        // Opens the pipe now: opening it in the handler would not be async-signal-safe.
        _ = pipe
        self.interruptsMessages.store(interruptsMessages, ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, information, _ in
            let before = errno
            if SignalPipe.terminationSignals.contains(number) {
                SignalPipe.isTerminating.store(true, ordering: .relaxed)
            }
            let isFromProgram = information.map { $0.pointee.si_code <= SI_USER } ?? false
            var byte = UInt8(truncatingIfNeeded: number) | (isFromProgram ? SignalPipe.sentByProgram : 0)
            _ = Glibc.write(SignalPipe.pipe.writer, &byte, 1)
            errno = before
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        for number in terminationSignals where !isIgnored(number) { sigaction(number, &action, nil) }
        for number in others { sigaction(number, &action, nil) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits for a signal. Returns nil at the deadline and, with `orInput`, when standard input is readable or closed.
    static func wait(orInput: Bool = false, until deadline: ContinuousClock.Instant? = nil) -> ReceivedSignal? {
        var requests = [
            pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&requests, orInput ? 2 : 1, PollTime.milliseconds(until: deadline)) < 0 {}
        // A pending signal takes precedence over input.
        return take()
    }

    /// The oldest signal that waits to be received; nil if there is none.
    static func take() -> ReceivedSignal? {
        var byte: UInt8 = 0
        guard read(pipe.reader, &byte, 1) == 1 else { return nil }
        return ReceivedSignal(number: Int32(byte & ~sentByProgram), isFromProgram: byte & sentByProgram != 0)
    }

    /// Gives the signal its default action again, until the handlers are installed again.
    static func restoreDefault(_ number: Int32) { signal(number, SIG_DFL) }

    /// Waits until a descriptor for messages is writable. Returns false if a termination signal ends the wait.
    static func waitUntilWritable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let isLast = interruptsMessages.load(ordering: .relaxed) && isTerminating.load(ordering: .relaxed)
            // A signal that arrives just before the wait does not interrupt it.
            let count = poll(&request, 1, isLast ? 0 : 1_000)
            if count > 0 { return true }
            if isLast { return false }
        }
    }

    /// Terminates the program with the default action of the signal.
    static func endProgram(by number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
    }
}

/// The timeout of `poll`.
enum PollTime {
    /// Rounds up, and clamps to what `poll` accepts; -1 without a deadline.
    static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = (deadline - .now) / .milliseconds(1)
        return Int32(max(0, min(rest.rounded(.up), Double(Int32.max))))
    }
}
