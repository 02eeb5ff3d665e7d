internal import CLinux
internal import Glibc
internal import Locking

/// What the hub's thread does. It belongs to that thread, until it is handed on to another; others send it commands.
///
/// Handlers run first, on the files that something happened to; a moment later paths that may lead elsewhere are armed
/// anew, and their handlers run once more, because nothing was heard in between.
final class HubLoop {
    let inbox: Inbox
    let backend: any PathBackend
    let polling: Polling
    private let mounts = Mounts()
    private let published: Lock<FileWatchingStatistics>
    private(set) var subscriptions: [PathID: Subscription] = [:]
    private var retries: Retries
    private var aftercare = Aftercare()
    private var statistics = FileWatchingStatistics()
    private var isStopped = false
    private let crew: Crew
    /// What the thread is to do before it watches again.
    private var errand: Errand?
    private var isUntidy = false
    private var isReliefMissing = false
    /// When the last wish was granted.
    private var lastWish = Moment(nanoseconds: 0)

    init(
        _ inbox: Inbox, _ published: Lock<FileWatchingStatistics>, _ interval: Int64, _ backend: any PathBackend,
        _ polling: Polling, _ crew: Crew
    ) {
        (self.inbox, self.published, self.backend, self.polling, self.crew) = (inbox, published, backend, polling, crew)
        retries = Retries(interval: interval)
    }

    /// Watches until it is stopped, and returns nil; or until the thread has an errand. Then this thread runs it again, or
    /// another one.
    func run() -> Errand? {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, nil) }
        // Errands must not keep everything else from being done, however many there are.
        if isUntidy { tidyUp() }
        while !isStopped, errand == nil {
            wait()
            handleEvents()
            if errand == nil { tidyUp() } else { isUntidy = true }
        }
        if let errand = errand.take() { return errand }
        backend.stop()
        polling.stop()
        return nil
    }

    private func tidyUp() {
        isUntidy = false
        let commands = inbox.take()
        for command in commands { command(self) }
        let now = Moment.now
        if !commands.isEmpty { lastWish = now }
        for touch in aftercare.takeDue(now) { care(for: touch) }
        if isReliefMissing, !hasAftercare { callRelief() }
        retry(now)
        backend.settle(now)
        publish()
    }

    /// Has it done on this thread, if another one can watch in its place; otherwise false.
    func promise(_ errand: Errand) -> Bool {
        guard self.errand == nil else { return false }
        guard crew.promise() else {
            isReliefMissing = true
            return false
        }
        self.errand = errand
        return true
    }

    /// For the next edit: for the one that asked, it would come too late.
    private func callRelief() {
        isReliefMissing = false
        crew.reinforce()
    }

    func stop() { isStopped = true }

    /// Whether files that somebody was told of are still to be cared for.
    var hasAftercare: Bool { aftercare.deadline != nil }

    /// How long it stays awake for the next wish, in nanoseconds.
    private static let linger: Int64 = 50_000

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The loop whose thread this is.
    static var current: HubLoop? {
        pthread_getspecific(key).map { Unmanaged<HubLoop>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension HubLoop {
    private func wait() {
        let events = pollfd(fd: backend.descriptor, events: Int16(POLLIN), revents: 0)
        let wishes = pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0)
        let mounts = pollfd(fd: mounts.descriptor, events: Int16(POLLPRI), revents: 0)
        var requests = (events, wishes, mounts)
        withUnsafeMutableBytes(of: &requests) { bytes in
            let requests = bytes.baseAddress!.assumingMemoryBound(to: pollfd.self)
            // Wishes come in crowds, and being woken for each of ten thousand would take longer than granting them.
            while !backend.hasMore, !polling.hasMore, lastWish + Self.linger > .now {
                if poll(requests, 3, 0) > 0 { return }
                // Whoever got an answer may be waiting for this very processor.
                sched_yield()
            }
            _ = clinux_poll(requests, 3, timeout)
        }
        statistics.wakeups += 1
        // Somebody has closed what was not theirs.
        if requests.1.revents & Int16(POLLNVAL) != 0 { _ = inbox.reopen() }
        if requests.2.revents & Int16(POLLNVAL) != 0 { self.mounts.lost(.now) }
        if requests.2.revents & Int16(POLLPRI) != 0 { self.mounts.changed(.now) }
        if requests.0.revents & Int16(POLLNVAL) != 0 { startOver(isLost: true) }
    }

    /// How long to sleep without news, in nanoseconds; -1 until woken.
    var timeout: Int64 {
        if backend.hasMore || polling.hasMore { return 0 }
        let deadlines = [retries.deadline, backend.deadline, aftercare.deadline, mounts.deadline]
        guard let deadline = deadlines.compactMap({ $0 }).min() else { return -1 }
        return max(0, deadline.nanoseconds - Moment.now.nanoseconds)
    }

    private func handleEvents() {
        var batch = Batch()
        backend.collect(into: &batch)
        polling.collect(into: &batch)
        noteMounts(in: &batch)
        if batch.overflows > 0 { return handle(overflows: batch.overflows) }
        for touch in batch.touches where touch.isDirect { subscriptions[touch.path]?.lookAgain() }
        if batch.mustStartOver { return startOver() }
        for touch in batch.touches {
            if touch.isDirect { aftercare.add(touch, .now) } else { care(for: touch) }
        }
    }

    private func noteMounts(in batch: inout Batch) {
        if batch.haveFoldersMoved || backend.areMountsDoubtful { mounts.changed(.now) }
        backend.areMountsDoubtful = false
        if mounts.deadline == nil { return }
        if let places = mounts.readIfDue(.now) { backend.mountsChanged(at: places, mounts.table, in: &batch) }
    }

    private func care(for touch: Batch.Touch) {
        guard let subscription = subscriptions[touch.path] else { return }
        if case .polling(let reason) = subscription.status, reason.isLimit {
            // One path is tried at a time, when its time has come.
            if !touch.isDirect { subscription.lookAgain() }
            return
        }
        guard touch.needsArming || subscription.isOutOfReach else { return }
        let isNew = follow(subscription)
        if isNew || !touch.isDirect { subscription.lookAgain() }
    }

    private func handle(overflows: Int) {
        statistics.overflows += overflows
        for subscription in subscriptions.values {
            subscription.count(overflows: overflows)
            subscription.lookAgain()
        }
        startOver()
    }

    /// Drops every watch, arms all paths anew and has all looked at.
    private func startOver(isLost: Bool = false) {
        statistics.restarts += 1
        let trouble = backend.startOver(isLost: isLost)
        for subscription in subscriptions.values {
            if let trouble, subscription.method == .automatic {
                set(trouble, subscription)
            } else {
                follow(subscription, mayStartOver: false)
            }
            subscription.lookAgain()
        }
    }

    /// Returns whether something else is watched than before.
    @discardableResult
    private func follow(_ subscription: Subscription, mayStartOver: Bool = true) -> Bool {
        guard subscription.method == .automatic else {
            lookInstead(at: subscription, .requested())
            return false
        }
        let following = backend.follow(subscription.id, subscription.path)
        if following.isConfused, mayStartOver {
            startOver()
            return false
        }
        if following.isNew { subscription.countRearm() }
        set(following.trouble, subscription)
        return following.isNew
    }

    private func set(_ trouble: FileWatchReason?, _ subscription: Subscription) {
        guard subscriptions[subscription.id] != nil else { return }
        if let trouble { return lookInstead(at: subscription, trouble) }
        retries.remove(subscription.id)
        polling.forget(subscription.id)
        subscription.tell(.live, by: backend.kind)
    }

    /// Polls it beside what the kernel tells of it.
    private func lookInstead(at subscription: Subscription, _ trouble: FileWatchReason) {
        let isHelpless = polling.follow(subscription.id, subscription.path).trouble != nil
        // Without the news of mounts nobody tells that the path leads elsewhere.
        let isUnheard = trouble.code == .fileSystem && mounts.descriptor < 0
        if trouble.isToBeTriedAgain || isUnheard || isHelpless {
            retries.insert(subscription.id, .now)
        } else {
            retries.remove(subscription.id)
        }
        subscription.tell(.polling(trouble), by: .polling)
    }

    /// Tries again to watch what could not be watched.
    private func retry(_ now: Moment) {
        // What is used up for one is used up for all.
        var isExhausted = false
        for path in retries.takeDue(now) {
            guard let subscription = subscriptions[path], !isExhausted else { continue }
            // Whatever happened until it was watched went unseen.
            if follow(subscription) || subscription.status == .live { subscription.lookAgain() }
            if case .polling(let reason) = subscription.status { isExhausted = reason.isLimit }
        }
    }
}

extension HubLoop {
    /// The path is watched when this returns nil.
    func add(_ subscription: Subscription) -> FileWatchReason? {
        learnMounts()
        let trouble = subscription.method == .polling ? .requested() : begin(subscription)
        if let trouble, !trouble.allowsBeginning {
            backend.forget(subscription.id)
            return trouble
        }
        subscriptions[subscription.id] = subscription
        set(trouble, subscription)
        publish()
        return nil
    }

    private func begin(_ subscription: Subscription) -> FileWatchReason? {
        let following = backend.follow(subscription.id, subscription.path)
        guard following.isConfused else { return following.trouble }
        startOver()
        return backend.follow(subscription.id, subscription.path).trouble
    }

    /// Learns what is mounted if nobody has told until now.
    private func learnMounts() {
        guard let places = mounts.begin(.now) else { return }
        var batch = Batch()
        backend.mountsChanged(at: places, mounts.table, in: &batch)
        for touch in batch.touches { care(for: touch) }
    }

    func forget(_ path: PathID) {
        guard subscriptions.removeValue(forKey: path) != nil else { return }
        retries.remove(path)
        backend.forget(path)
        polling.forget(path)
    }

    private func publish() {
        let load = backend.load
        statistics.filesWatched = subscriptions.count
        statistics.filesPolled = polling.count
        statistics.backend = backend.descriptor < 0 ? nil : backend.kind
        statistics.detour = backend.detour
        statistics.kernelWatches = load.kernelWatches
        statistics.staleRecords = load.staleRecords
        published.withLock { $0 = statistics }
    }
}
