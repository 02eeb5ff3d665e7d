internal import Glibc
internal import Locking

/// Watches for everybody, on one thread, which sleeps until the kernel has events or somebody has a wish.
///
/// The thread begins with the first wish and never ends, except with the hub of a test. It may hand its place on to
/// another, see ``Crew``.
final class Hub: Sendable {
    static let shared = Hub { InotifyBackend(SystemInotify()) }
    static let threadName = "FileWatching"

    private let inbox = Inbox()
    private let published = Lock(FileWatchingStatistics())
    private let isStarted = Lock(false)
    private let process = getpid()
    private let interval: Int64
    private let makeBackend: @Sendable () -> any PathBackend

    /// Watches by way of the backend that is made on the thread; where that cannot serve, polls, resting for an interval
    /// in nanoseconds between two looks.
    init(interval: Int64 = Moment.second, _ makeBackend: @escaping @Sendable () -> any PathBackend) {
        (self.interval, self.makeBackend) = (interval, makeBackend)
    }

    deinit { if isStarted.withLock({ $0 }) { inbox.send { $0.stop() } } }

    var statistics: FileWatchingStatistics {
        isInItsProcess ? published.withLock { $0 } : FileWatchingStatistics()
    }

    /// Whether this is the process that the thread runs in. A child of fork has neither the thread nor a right to the
    /// descriptors, which are its parent's; and any lock may be held for ever there.
    var isInItsProcess: Bool { getpid() == process }

    /// The path is watched when this returns nil.
    func add(_ subscription: Subscription) -> FileWatchReason? {
        guard isInItsProcess else { return .forked() }
        if let reason = start() { return reason }
        return ask { $0.add(subscription) }
    }

    func forget(_ path: PathID) {
        if isInItsProcess { inbox.send { $0.forget(path) } }
    }

    /// What `question` gives on the hub's thread, which must have been started. On that thread itself, in a handler, it
    /// is asked at once.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable (HubLoop) -> Answer) -> Answer {
        if let loop = HubLoop.current, loop.inbox === inbox { return question(loop) }
        let reply = Reply<Answer>()
        inbox.send { reply.send(question($0)) }
        return reply.wait()
    }

    /// Starts the thread if it does not run yet.
    func start() -> FileWatchReason? {
        isStarted.withLock { isStarted in
            guard !isStarted else { return nil }
            guard inbox.descriptor >= 0 || inbox.reopen() else { return .start(SystemError(number: errno)) }
            let error = QuietThread.begin(named: Self.threadName) { [inbox, published, interval, makeBackend] in
                let crew = Crew()
                // A command that does nothing wakes the loop, which then collects.
                let polling = Polling(interval: interval) { [weak inbox] in inbox?.send { _ in } }
                crew.watch(HubLoop(inbox, published, interval, makeBackend(), polling, crew))
            }
            isStarted = error == 0
            return isStarted ? nil : .system(SystemError(number: error), "the watching thread cannot be started")
        }
    }
}
