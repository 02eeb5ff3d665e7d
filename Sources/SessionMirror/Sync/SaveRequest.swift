internal import Locking

/// A caller that waits for a save, of its own change or of the pending changes only.
struct SaveRequest: Sendable {
    /// Creates the next snapshot, with the given version number.
    typealias Change = @Sendable (AnySnapshotStorage, Version) throws -> AnySnapshotStorage

    let change: Change?
    /// Called once, when the save is durable or has failed.
    let completion: @Sendable ((any Error)?) -> Void
}

/// The queue of requests that wait for a save.
final class SaveRequests: Sendable {
    private let waiting = Lock<[SaveRequest]>([])

    func add(_ request: SaveRequest) { waiting.withLock { $0.append(request) } }

    func takeAll() -> [SaveRequest] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Takes the requests without a change.
    func takeFlushes() -> [SaveRequest] {
        waiting.withLock { waiting in
            let flushes = waiting.filter { $0.change == nil }
            waiting.removeAll { $0.change == nil }
            return flushes
        }
    }

    var hasChanges: Bool { waiting.withLock { $0.contains { $0.change != nil } } }
}
