internal import Glibc
internal import Locking

/// Watches all paths of a process on one thread, which sleeps until the kernel reports events or a request arrives.
///
/// The thread starts with the first request and never ends, except in services that tests create. It may hand the loop
/// over to another thread: see ``LeaderFollower``.
final class WatchService: Sendable {
    static let shared = WatchService { InotifyBackend(AutomaticInotify()) }
    static let threadName = "FileWatching"

    private let commands = CommandQueue()
    private let published = Lock(FileWatchingStatistics())
    private let isStarted = Lock(false)
    private let process = getpid()
    private let interval: Int64
    private let makeBackend: @Sendable () -> InotifyBackend

    /// Creates a service; its thread does not run yet.
    ///
    /// - Parameters:
    ///   - interval: The polling interval in nanoseconds, for paths that the backend cannot watch.
    ///   - makeBackend: Creates the backend, on the watching thread.
    init(interval: Int64 = Instant.nanosecondsPerSecond, _ makeBackend: @escaping @Sendable () -> InotifyBackend) {
        (self.interval, self.makeBackend) = (interval, makeBackend)
    }

    deinit { if isStarted.withLock({ $0 }) { commands.send { $0.stop() } } }

    var statistics: FileWatchingStatistics {
        isInOwnProcess ? published.withLock { $0 } : FileWatchingStatistics()
    }

    /// Whether this is the process that the thread runs in. A child made by `fork` has no such thread, must not use the
    /// descriptors, which are its parent's, and may find any lock held forever.
    var isInOwnProcess: Bool { getpid() == process }

    /// Begins to watch a path. Returns the reason if that fails.
    func add(_ registration: WatchRegistration) -> FileWatchReason? {
        guard isInOwnProcess else { return .forked() }
        if let reason = start() { return reason }
        return perform { $0.add(registration) }
    }

    func remove(_ path: PathID) {
        if isInOwnProcess { commands.send { $0.remove(path) } }
    }

    /// Schedules a call on the watching thread. Returns false if that thread does not run.
    func schedule(_ call: ScheduledCall) -> Bool {
        guard isInOwnProcess, isStarted.withLock({ $0 }) else { return false }
        commands.send { $0.schedule(call) }
        return true
    }

    /// Runs `request` on the watching thread, which must have been started, and returns its result. In a handler, which
    /// runs on that thread, the request runs immediately.
    func perform<Result: Sendable>(_ request: @escaping @Sendable (WatchLoop) -> Result) -> Result {
        if let loop = WatchLoop.current, loop.commands === commands { return request(loop) }
        let result = Future<Result>()
        commands.send { result.set(request($0)) }
        return result.wait()
    }

    /// Starts the thread if it does not run yet. Returns the reason if that fails.
    func start() -> FileWatchReason? {
        isStarted.withLock { isStarted in
            guard !isStarted else { return nil }
            guard commands.descriptor >= 0 || commands.reopen() else { return .start(SystemError(number: errno)) }
            let error = SignalBlockingThread.start(named: Self.threadName) {
                [commands, published, interval, makeBackend] in
                let threads = LeaderFollower()
                // An empty command wakes the loop, which then collects the changes.
                let polling = PollingBackend(interval: interval) { [weak commands] in commands?.send { _ in } }
                threads.run(WatchLoop(commands, published, interval, makeBackend(), polling, threads))
            }
            isStarted = error == 0
            return isStarted ? nil : .system(SystemError(number: error), "the watching thread cannot be started")
        }
    }
}

/// A separate watch service with one fixed backend, for tests and benchmarks that compare backends.
///
/// Only one service per process can use libinotifytools, and only if no other watch exists in the process.
package struct DedicatedWatchService: Sendable {
    private let service: WatchService
    private let method: FileWatchMethod

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - backend: The backend that watches all files.
    ///   - interval: The polling interval.
    ///   - observer: Receives every inotify event.
    package init(
        _ backend: FileWatchBackend, interval: Duration = .seconds(1),
        observer: (@Sendable (FileWatchEvent) -> Void)? = nil
    ) {
        let nanoseconds = interval / .nanoseconds(1)
        method = backend == .polling ? .polling : .automatic
        service = WatchService(interval: Int64(nanoseconds)) {
            switch (backend, observer) {
            #if InotifyTools
            case (.inotifyTools, nil): InotifyBackend(InotifyTools())
            case (.inotifyTools, let observer?): InotifyBackend(RecordingInotify(InotifyTools(), observer))
            #endif
            case (_, nil): InotifyBackend(KernelInotify())
            case (_, let observer?): InotifyBackend(RecordingInotify(KernelInotify(), observer))
            }
        }
    }

    package func watch(
        _ path: String, handler: @escaping @Sendable (FileWatchSignal) -> Void
    ) throws(FileWatchError) -> FileWatch {
        try FileWatch(path, method: method, service: service, handler: handler)
    }

    package var statistics: FileWatchingStatistics { service.statistics }
}
