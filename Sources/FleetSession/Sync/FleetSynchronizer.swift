internal import DurableFiles
internal import EtcdClient
internal import FileWatching
internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// Keeps a session's file and the text of the store in sync.
///
/// One task per session connects, reads, watches and, after each event, makes a step: it merges a new text of the store
/// into the file, then sends what the file has and the store does not. Steps of all processes of a machine, and their
/// commits, exclude each other by a lock, and begin with the common text as the last one has left it on disk.
final class FleetSynchronizer: Sendable {
    let member: any FleetMember
    let settings: FileSettings
    let store: FleetStore
    let directory: FleetDirectory
    let options: FleetOptions
    let localPaths: LocalPaths
    let inbox = Inbox()
    private let stepLock: StepLock
    private let task = Lock<Task<Void, Never>?>(nil)
    let state: Lock<State>

    struct State {
        var status: FleetStatus
        var metrics = FleetMetrics()
        /// The newest text of the store that is not merged yet.
        var unmerged: StoredText?
        /// The number of texts of the store up to that one which the file does not have.
        var unmergedCount = 0
        var isRetryScheduled = false
    }

    init(_ member: any FleetMember, _ store: FleetStore, _ options: FleetOptions) throws {
        (self.member, self.store, self.options) = (member, store, options)
        settings = try member.fileSettings
        localPaths = LocalPaths(paths: options.localPaths)
        let path = options.stateDirectory ?? FleetDirectory.standardPath(for: settings.absolutePath)
        directory = try FleetDirectory(
            path, of: store.keys.text, settings.parsing, staleWriteWindow: settings.staleWriteWindow)
        stepLock = try StepLock(directory.stepLock)
        state = Lock(State(status: FleetStatus(key: store.keys.text)))
    }

    func start() {
        changeStatus { _ in }
        member.observeText(for: self) { [inbox] in inbox.add { $0.isTextChanged = true } }
        task.withLock { $0 = Task { await self.run() } }
    }

    /// Ends the synchronization. What the file has by then is sent when it is begun again.
    func close() {
        member.endObservingText(for: self)
        inbox.close()
        task.withLock { $0 }?.cancel()
    }

    /// Waits until the synchronization has ended.
    func finish() async { await task.withLock { $0 }?.value }

    /// Lets other processes use the file with another key: at the end of a commit that goes on, which is waited for only
    /// for a second.
    func releaseKey() async {
        // This task may be cancelled.
        let isIdle = await Task.detached { (try? await self.exclusively(until: .now + .seconds(1)) {}) != nil }.value
        if isIdle { return directory.close() }
        Task.detached {
            _ = try? await self.exclusively {}
            self.directory.close()
        }
    }

    /// The status, including events that the synchronization has not looked at yet.
    var status: FleetStatus {
        let waiting = inbox.waiting
        return state.withLock { state in
            var status = state.status
            if status.connection == .standby { return status }
            status.versionsBehind = state.unmergedCount + waiting.storedCount
            if waiting.isTextChanged { status.hasUnsentChanges = true }
            return status
        }
    }

    /// Changes the status and reports it.
    func changeStatus(_ change: (inout FleetStatus) -> Void) {
        state.withLock { change(&$0.status) }
        member.setFleetStatus(status)
    }

    /// Sets the text of the store that the file does not have.
    func setUnmerged(_ stored: StoredText?, count: Int = 1) {
        state.withLock { state in
            state.unmergedCount = stored == nil ? 0 : max(count, state.unmergedCount)
            state.unmerged = stored
        }
    }

    func count(_ counter: WritableKeyPath<FleetMetrics, Int>, by number: Int = 1) {
        state.withLock { $0.metrics[keyPath: counter] += number }
    }

    /// Runs a step or a commit: one at a time among all processes of the machine.
    func exclusively<Result: Sendable>(
        until deadline: Instant? = nil, _ body: () async throws -> Result
    ) async throws -> Result {
        try await stepLock.lock(until: deadline)
        defer { stepLock.unlock() }
        return try await body()
    }
}

extension FleetSynchronizer {
    private func run() async {
        guard let role = await takeRole() else { return member.setFleetStatus(nil) }
        let reconnectDelay = max(options.reconnectDelay, .milliseconds(10))
        var delay = RetryDelay(first: reconnectDelay, longest: .seconds(60))
        var registration = Registration(store, options)
        while !inbox.isClosed {
            do {
                try await follow(&registration) {
                    delay = RetryDelay(first: reconnectDelay, longest: .seconds(60))
                }
            } catch {
                if inbox.isClosed { break }
                changeStatus { status in
                    if case .disconnected(let since, _) = status.connection {
                        status.connection = .disconnected(since: since, reason: "\(error)")
                    } else {
                        status.connection = .disconnected(since: .now, reason: "\(error)")
                    }
                }
                await noteUnsentChanges(until: .now + delay.next())
            }
        }
        member.setFleetStatus(nil)
        role.unlock()
        // This task may be cancelled.
        let end = Task.detached { [registration] in await registration.end() }
        await end.value
    }

    /// The lock of the role; nil if the session was closed before it could be had.
    private func roleLock() async -> FileLock? {
        while !inbox.isClosed {
            do {
                return try directory.roleLock
            } catch {
                changeStatus { $0.connection = .disconnected(since: .now, reason: "\(error)") }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return nil
    }

    /// Waits until this process is the one that exchanges the changes of the file; nil if the session was closed first.
    private func takeRole() async -> FileLock? {
        guard let lock = await roleLock() else { return nil }
        if lock.tryLock() { return lock }
        changeStatus { $0.connection = .standby }
        // When the holder dies, the kernel closes its file.
        let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = try? FileWatch(lock.path) { _ in continuation.yield() }
        // A polled file does not tell.
        let timer = Task {
            while !Task.isCancelled {
                continuation.yield()
                try await Task.sleep(for: .seconds(10))
            }
        }
        defer {
            watch?.cancel()
            timer.cancel()
        }
        for await _ in signals {
            // The file is closed a moment before the lock is released.
            for attempt in 0..<10 where !inbox.isClosed {
                if lock.tryLock() {
                    changeStatus { $0.connection = .connecting }
                    return lock
                }
                try? await Task.sleep(for: .milliseconds(1 << attempt))
            }
            if inbox.isClosed { return nil }
        }
        return nil
    }

    /// Exchanges changes until the connection is lost or the session is closed.
    private func follow(_ registration: inout Registration, onConnected: () -> Void) async throws {
        let revision = try await firstStep()
        inbox.begin(after: revision)
        try await registration.keep(revision: status.revision)
        let watch = Task { [inbox, store] in
            do throws(EtcdError) {
                var events = store.watch(from: revision + 1).makeAsyncIterator()
                while let event = try await events.next(isolation: nil) {
                    switch event {
                    case .put(let keyValue, let revision): inbox.received(StoredText(keyValue, revision: revision))
                    case .deleted(_, let revision):
                        inbox.received(StoredText(keyRevision: 0, revision: revision, bytes: nil))
                    case .created: inbox.add { $0.isWatching = true }
                    case .progress: break
                    }
                }
                throw EtcdError(.unreachable, "the watch ended")
            } catch {
                // Of a connection that was given up, only the next one matters.
                if !Task.isCancelled { inbox.add { $0.failure = error } }
            }
        }
        let renewals = Task { [inbox, options] in
            while !Task.isCancelled {
                try await Task.sleep(for: Registration.lifetime(options) / 3 * Double.random(in: 0.8...1))
                inbox.add { $0.isRenewalDue = true }
            }
        }
        defer {
            watch.cancel()
            renewals.cancel()
        }
        try await handleEvents(&registration, onConnected)
    }

    private func handleEvents(_ registration: inout Registration, _ onConnected: () -> Void) async throws {
        var checkedRevision = 0
        for await _ in inbox.signals {
            let events = inbox.take()
            if events.isClosed { return }
            // A failure that comes with the beginning, such as that of a history that is gone, is one of the attempt.
            if events.isWatching, events.failure == nil {
                onConnected()
                count(\.connections)
                changeStatus { $0.connection = .connected }
            }
            if let stored = events.stored {
                setUnmerged(stored, count: state.withLock { $0.unmergedCount } + events.storedCount)
            }
            // Corrected by the step.
            if events.isTextChanged { state.withLock { $0.status.hasUnsentChanges = true } }
            if events.stored != nil || events.isTextChanged || events.isRetryDue {
                try await step(with: events.stored ?? state.withLock { $0.unmerged })
            }
            if events.isRenewalDue {
                try await registration.renew(revision: status.revision)
                checkedRevision = try await checkWatch(expecting: checkedRevision)
            }
            if let failure = events.failure { throw failure }
        }
    }

    /// Merges what the watch has not announced: a member that was stopped keeps its connections.
    ///
    /// - Parameter expected: The revision that the last check read.
    /// - Throws: If the watch has still not announced that.
    private func checkWatch(expecting expected: Int) async throws -> Int {
        if inbox.announcedRevision < expected {
            throw EtcdError(.unreachable, "the member of the store that is watched reports no changes")
        }
        _ = try await firstStep()
        return status.revision
    }

    /// Keeps the status up to date without a connection.
    private func noteUnsentChanges(until deadline: Instant) async {
        let wakeup = Task { [inbox] in
            try await Task.sleep(for: deadline - .now)
            inbox.add { $0.isRetryDue = true }
        }
        defer { wakeup.cancel() }
        var isOver = false
        repeat {
            if let hasChanges = try? await exclusively({ try hasUnsentChanges() }) {
                if hasChanges != status.hasUnsentChanges { changeStatus { $0.hasUnsentChanges = hasChanges } }
            }
            for await _ in inbox.signals { break }
            // What the watch has announced is read again after the connection.
            isOver = inbox.take().isRetryDue
        } while !isOver && !inbox.isClosed
    }

    private func hasUnsentChanges() throws -> Bool { try outgoing(directory.commonText()) != nil }
}
