import Glibc

/// The signals that end a program, put off while it has a person's text in its hands, and the one that tells that an
/// editor has ended.
///
/// The handler does nothing but write a byte into a pipe, which is waited for together with standard input. So no signal
/// comes between looking and waiting, and none ends the program in the middle of saving.
enum SignalBell {
    /// What came, and whether another program sent it: what the terminal sends has reached the editor as well.
    struct Ring {
        let number: Int32
        let isFromProgram: Bool
    }

    private static let ends = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
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

    /// From now on signals ring. Those that whoever started the program had ignored stay ignored.
    static func hang() {
        // The handler must find the pipe open: making it there would not be safe.
        _ = pipe
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, information, _ in
            let before = errno
            let isFromProgram = information.map { $0.pointee.si_code <= SI_USER } ?? false
            var byte = UInt8(truncatingIfNeeded: number) | (isFromProgram ? SignalBell.sentByProgram : 0)
            _ = Glibc.write(SignalBell.pipe.writer, &byte, 1)
            errno = before
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        for number in ends where !isIgnored(number) { sigaction(number, &action, nil) }
        sigaction(SIGCHLD, &action, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Sleeps until a signal comes; with `orInput` also until standard input can be read, or never will be: then nil.
    static func wait(orInput: Bool = false) -> Ring? {
        var requests = [
            pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&requests, orInput ? 2 : 1, -1) < 0 {}
        // A signal may have come after the pipe was looked at and before the input was: it goes first.
        var byte: UInt8 = 0
        guard read(pipe.reader, &byte, 1) == 1 else { return nil }
        return Ring(number: Int32(byte & ~sentByProgram), isFromProgram: byte & sentByProgram != 0)
    }

    /// Ends the program by a signal, as if it had not been put off.
    static func endProgram(by number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
    }
}
