import Glibc
import Synchronization

/// The signals that end the program, received by a thread of their own.
final class TerminationSignals: Sendable {
    private let numbers: [Int32]

    /// Blocks the signals in this thread, and so in all that are created later. Signals that were ignored when the
    /// program started stay ignored.
    init() {
        numbers = [SIGINT, SIGQUIT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        setMask(SIG_BLOCK)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    private func setMask(_ change: Int32) {
        var set = set
        pthread_sigmask(change, &set, nil)
    }

    /// Gives the signals their default effect again, in this thread.
    func restore() { setMask(SIG_UNBLOCK) }

    /// Calls `body` with the first signal, on a thread of its own. A second signal ends the program.
    func receive(_ body: @escaping @Sendable (Int32) -> Void) {
        let context = Unmanaged.passRetained(Context(signals: self, body: body)).toOpaque()
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                let context = Unmanaged<Context>.fromOpaque(context!).takeRetainedValue()
                var (set, number) = (context.signals.set, Int32(0))
                while sigwait(&set, &number) != 0 {}
                context.body(number)
                context.signals.restore()
                while true { pause() }
            }, context)
        if failure != 0 { fatalError("no thread: \(String(cString: strerror(failure)))") }
    }

    private final class Context: Sendable {
        let signals: TerminationSignals
        let body: @Sendable (Int32) -> Void

        init(signals: TerminationSignals, body: @escaping @Sendable (Int32) -> Void) {
            (self.signals, self.body) = (signals, body)
        }
    }

    /// Terminates the program with the default action of the signal.
    func endProgram(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        restore()
        raise(number)
        exit(128 + number)
    }
}
