internal import Synchronization

extension Session {
    /// Waits until the latest value fulfils a condition, which it may do already; for tests, mostly.
    ///
    /// ```swift
    /// try await session.waitUntil { $0.port == 9090 }
    /// ```
    ///
    /// A version that the next one replaces at once may be skipped.
    ///
    /// - Throws: A ``SessionError`` if the session is closed or `limit` passes before; `CancellationError` if the task is
    ///   cancelled.
    public func waitUntil(
        within limit: Duration? = nil, _ condition: @escaping @Sendable (borrowing Root) -> Bool
    ) async throws {
        let changes = changes(of: Part(condition))
        if read(condition) { return }
        let alarm = limit.map { Alarm(after: $0, ending: changes) }
        defer { alarm?.turnOff() }
        for await change in changes where change.new { return }
        try Task.checkCancellation()
        if alarm?.hasRung == true { throw SessionError(.timedOut, "what was waited for did not come in time") }
        throw SessionError(.closed, "the session was closed while a value was waited for")
    }
}

extension Session.Part where Value == Bool {
    /// Whether a condition is fulfilled; nobody else asks for the same.
    init(_ condition: @escaping @Sendable (borrowing Root) -> Bool) {
        key = .condition(ConditionIdentity())
        get = { condition($0.root) }
    }
}

/// Ends a loop over changes when it has gone on for too long.
private final class Alarm: Sendable {
    private final class Bell: Sendable {
        let hasRung = Atomic(false)
    }

    private let bell: Bell
    private let sleep: Task<Void, any Error>

    init(after limit: Duration, ending changes: Changes<Bool>) {
        let bell = Bell()
        self.bell = bell
        sleep = Task {
            try await Task.sleep(for: limit)
            bell.hasRung.store(true, ordering: .releasing)
            changes.subscriber.finish()
        }
    }

    var hasRung: Bool { bell.hasRung.load(ordering: .acquiring) }

    func turnOff() { sleep.cancel() }
}
