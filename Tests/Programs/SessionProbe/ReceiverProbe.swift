import FileScripts
import Glibc
import SessionMirror
import Synchronization

/// Counts the deliveries of SIGTERM, SIGHUP and SIGCHLD to the thread of a service that unblocks them, and to other
/// threads, while all threads of the library are busy with a file.
///
/// Answers `count` on its input with `delivered NUMBER, astray NUMBER`.
enum ReceiverProbe {
    static func run(_ path: String) throws {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGHUP, SIGCHLD] {
            sigaddset(&signals, number)
            Deliveries.handle(number)
        }
        try Deliveries.startReceiver()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let session = try Session(ReportProbe.Settings(), at: path)
        let token = session.observe(\.port) { say("port \($0.new)") }
        say("ready")
        while readLine() == "count" { say(Deliveries.summary) }
        withExtendedLifetime((session, token)) {}
    }
}

private enum Deliveries {
    private static let receiver = Atomic<UInt>(0)
    private static let delivered = Atomic<Int>(0)
    private static let astray = Atomic<Int>(0)

    static var summary: String {
        "delivered \(delivered.load(ordering: .relaxed)), astray \(astray.load(ordering: .relaxed))"
    }

    static func handle(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            let isReceiver = Deliveries.receiver.load(ordering: .relaxed) == UInt(pthread_self())
            if isReceiver {
                Deliveries.delivered.add(1, ordering: .relaxed)
            } else {
                Deliveries.astray.add(1, ordering: .relaxed)
            }
        }
        sigaction(number, &action, nil)
    }

    /// Starts the thread that unblocks signals.
    static func startReceiver() throws {
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { _ in
                Deliveries.receiver.store(UInt(pthread_self()), ordering: .relaxed)
                while true { pause() }
            }, nil)
        if error != 0 { fail("no thread can be created") }
        while receiver.load(ordering: .relaxed) == 0 { sched_yield() }
    }
}
