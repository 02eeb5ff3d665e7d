internal import Locking
internal import Synchronization

extension Session {
    /// Waits until the value meets a condition; returns at once if it already does. Mostly useful in tests.
    ///
    /// ```swift
    /// try await session.waitUntil { $0.port == 9090 }
    /// ```
    ///
    /// May skip a version that the next one replaces at once.
    ///
    /// - Throws: A ``SessionError`` if the session is closed or `limit` passes first; `CancellationError` if the task is
    ///   cancelled.
    public func waitUntil(
        within limit: Duration? = nil, _ condition: @escaping @Sendable (borrowing Root) -> Bool
    ) async throws {
        let changes = changes(of: Projection(condition))
        if read(condition) { return }
        let timeout = limit.map { WaitTimeout(after: $0, ending: changes) }
        defer { timeout?.cancel() }
        for await change in changes where change.new { return }
        try Task.checkCancellation()
        if timeout?.hasFired == true { throw SessionError.conditionTimedOut }
        throw SessionError.closedWhileWaiting
    }
}

extension Session {
    /// Waits as ``waitUntil(within:_:)`` does, blocking the thread.
    ///
    /// Traps inside `read` and inside a change of the same session, because it would wait for itself there.
    ///
    /// - Throws: A ``SessionError`` if the session is closed or `limit` passes first.
    public func waitUntilBlocking(
        within limit: Duration? = nil, _ condition: @escaping @Sendable (borrowing Root) -> Bool
    ) throws {
        preconditionNotNested("waitUntilBlocking")
        let deadline = limit.map { Instant.now + $0 } ?? .distantFuture
        let semaphore = CountingSemaphore()
        let subscription = wake(semaphore, onChangesOf: Projection(condition))
        defer { subscription.cancel() }
        while !read(condition) {
            if dispatcher.isFinished { throw SessionError.closedWhileWaiting }
            guard ThreadPool.shared.sleep(on: semaphore, until: deadline) else {
                throw SessionError.conditionTimedOut
            }
        }
    }

    /// Signals the semaphore at each change, and at the end.
    private func wake<Value>(_ semaphore: CountingSemaphore, onChangesOf projection: Projection<Value>) -> Subscription
    {
        let initial = projection.value(in: snapshotCell.current)
        let subscriber = Subscriber(
            initial: initial,
            notify: { subscriber in
                while subscriber.take() != nil { semaphore.signal() }
            }, onFinish: semaphore.signal)
        return subscribe(subscriber, to: projection, having: initial)
    }
}

extension Session.Projection where Value == Bool {
    /// Whether a condition is met. Never shared with other subscribers.
    init(_ condition: @escaping @Sendable (borrowing Root) -> Bool) {
        key = .condition(ConditionIdentity())
        get = { condition($0.root) }
    }
}

/// Ends a sequence of changes after a time limit.
private final class WaitTimeout: Sendable {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private let fired: Flag
    private let sleep: Task<Void, any Error>

    init(after limit: Duration, ending changes: Changes<Bool>) {
        let fired = Flag()
        self.fired = fired
        sleep = Task {
            try await Task.sleep(for: limit)
            fired.isSet.store(true, ordering: .releasing)
            changes.subscriber.finish()
        }
    }

    var hasFired: Bool { fired.isSet.load(ordering: .acquiring) }

    func cancel() { sleep.cancel() }
}
