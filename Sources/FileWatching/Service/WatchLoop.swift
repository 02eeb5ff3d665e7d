internal import CLinux
internal import Glibc
internal import Locking

/// The event loop of the watching thread. One thread at a time runs it; other threads send it commands.
///
/// When events arrive, the loop first calls the handlers of the files that they concern. A moment later it rearms the
/// paths that may lead elsewhere and calls their handlers again, because changes in between were not observed.
final class WatchLoop {
    let commands: CommandQueue
    let backend: InotifyBackend
    let polling: PollingBackend
    let mounts = MountMonitor()
    let published: Lock<FileWatchingStatistics>
    var registrations: [PathID: WatchRegistration] = [:]
    var retries: RetrySchedule
    var deferredRearms = DeferredRearms()
    /// Paths that were armed, or whose handlers were called, when mounts may have been others than the table says: since
    /// the loop last found that nothing was mounted or unmounted.
    var usedPaths: Set<PathID> = []
    /// Whether the kernel has reported a change of mounts since the table was read.
    var haveMountsChanged = false
    var statistics = FileWatchingStatistics()
    private var scheduledCalls = ScheduledCalls()
    private var isStopped = false
    private let threads: LeaderFollower
    /// The work that the thread runs when it leaves the loop.
    private var deferredWork: DeferredWork?
    private var hasPendingMaintenance = false
    private var needsFollower = false
    private var lastRequestTime = Instant(nanoseconds: 0)

    init(
        _ commands: CommandQueue, _ published: Lock<FileWatchingStatistics>, _ interval: Int64,
        _ backend: InotifyBackend, _ polling: PollingBackend, _ threads: LeaderFollower
    ) {
        (self.commands, self.published, self.backend) = (commands, published, backend)
        (self.polling, self.threads) = (polling, threads)
        retries = RetrySchedule(interval: interval)
    }

    /// Runs until the loop is stopped, and returns nil; or until a handler has deferred work, and returns that. Then
    /// the same thread or another one calls this again.
    func run() -> DeferredWork? {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, nil) }
        // Commands and timers are served even if every round defers work.
        if hasPendingMaintenance { performMaintenance() }
        while !isStopped, deferredWork == nil {
            wait()
            handleEvents()
            if deferredWork == nil { performMaintenance() } else { hasPendingMaintenance = true }
        }
        if let work = deferredWork.take() { return work }
        backend.stop()
        polling.stop()
        return nil
    }

    /// Runs commands and whatever is due.
    private func performMaintenance() {
        hasPendingMaintenance = false
        let commands = commands.takeAll()
        for command in commands { command(self) }
        let now = Instant.now
        if !commands.isEmpty { lastRequestTime = now }
        for change in deferredRearms.takeDue(now) { rearm(for: change) }
        if needsFollower, !hasDeferredRearms { addFollower() }
        retry(now)
        backend.performDeferredRemovals(now)
        publish()
        for call in scheduledCalls.takeDue(now) { perform(call) }
    }

    func schedule(_ call: ScheduledCall) { scheduledCalls.add(call) }

    private func perform(_ call: ScheduledCall) {
        let body = { [commands] in
            guard let next = call.body() else { return }
            commands.send { $0.schedule(ScheduledCall(due: next, body: call.body)) }
        }
        if !deferWork(DeferredWork(body: body, onTakeover: {})) { body() }
    }

    /// Defers work until all handlers have been called. Returns false if other work is deferred already or no follower
    /// could take the loop over.
    func deferWork(_ work: DeferredWork) -> Bool {
        guard deferredWork == nil else { return false }
        guard threads.reserveFollower() else {
            needsFollower = true
            return false
        }
        deferredWork = work
        return true
    }

    /// Creates a follower for the next event; for the current one it would come too late.
    private func addFollower() {
        needsFollower = false
        threads.addFollower()
    }

    func stop() { isStopped = true }

    /// Whether paths whose handlers were called must still be checked.
    var hasDeferredRearms: Bool { deferredRearms.deadline != nil }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The loop that the calling thread runs.
    static var current: WatchLoop? {
        pthread_getspecific(key).map { Unmanaged<WatchLoop>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension WatchLoop {
    /// How long the loop polls for further requests after one, in nanoseconds.
    private static let spinDuration: Int64 = 50_000

    private func wait() {
        checkMounts()
        if commands.descriptor < 0 { _ = commands.reopen() }
        let eventRequest = pollfd(fd: backend.descriptor, events: Int16(POLLIN), revents: 0)
        let commandRequest = pollfd(fd: commands.descriptor, events: Int16(POLLIN), revents: 0)
        let mountRequest = pollfd(fd: mounts.descriptor, events: Int16(POLLPRI), revents: 0)
        var requests = (eventRequest, commandRequest, mountRequest)
        withUnsafeMutableBytes(of: &requests) { bytes in
            let requests = bytes.baseAddress!.assumingMemoryBound(to: pollfd.self)
            // Requests come in bursts, and waking up for each of ten thousand would take longer than serving them.
            while !backend.hasMore, !polling.hasMore, lastRequestTime + Self.spinDuration > .now {
                if poll(requests, 3, 0) > 0 { return }
                // The thread that received a result may be waiting for this processor.
                sched_yield()
            }
            _ = clinux_poll(requests, 3, timeout)
        }
        statistics.wakeups += 1
        // POLLNVAL: other code of the process has closed the descriptor.
        if requests.1.revents & Int16(POLLNVAL) != 0 { _ = commands.reopen() }
        if requests.2.revents & Int16(POLLNVAL) != 0 {
            haveMountsChanged = true
            mounts.descriptorLost(.now)
        }
        if requests.2.revents & Int16(POLLPRI) != 0 { mountsChanged() }
        if requests.0.revents & Int16(POLLNVAL) != 0 { restart(isDescriptorLost: true) }
    }

    /// Checks whether something was mounted or unmounted while paths were used. A read of the table is needed then, and it
    /// arms those paths again.
    private func checkMounts() {
        if usedPaths.isEmpty { return }
        // Without /proc nothing is known about mounts.
        if mounts.descriptor < 0, mounts.deadline == nil { return usedPaths.removeAll() }
        if mounts.descriptor < 0 || haveMountsChanged { return }
        var request = pollfd(fd: mounts.descriptor, events: Int16(POLLPRI), revents: 0)
        switch poll(&request, 1, 0) {
        case 0: usedPaths.removeAll(keepingCapacity: usedPaths.count < 64)
        case 1 where request.revents & Int16(POLLPRI) != 0: mountsChanged()
        default: break
        }
    }

    private func mountsChanged() {
        haveMountsChanged = true
        mounts.scheduleRead(.now)
    }

    /// How long to sleep without events, in nanoseconds; -1 for no limit.
    var timeout: Int64 {
        if backend.hasMore || polling.hasMore { return 0 }
        let deadlines = [
            retries.deadline, backend.deadline, deferredRearms.deadline, mounts.deadline, scheduledCalls.deadline,
        ]
        let deadline = deadlines.compactMap({ $0 }).min()
        let remaining = deadline.map { max(0, $0.nanoseconds - Instant.now.nanoseconds) }
        // Without a descriptor no command can wake the loop, so it polls the queue.
        return commands.descriptor < 0 ? min(remaining ?? .max, Self.queuePollingInterval) : remaining ?? -1
    }

    /// The longest sleep while commands cannot wake the loop, in nanoseconds.
    private static let queuePollingInterval: Int64 = 100_000_000
}
