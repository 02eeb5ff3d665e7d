internal import Locking

/// Somebody waits for a save: with a change that is to be made on the way, or for what is pending only.
struct SaveRequest: Sendable {
    /// Makes the next version of one, with the number given.
    typealias Change = @Sendable (AnyEdition, Version) throws -> AnyEdition

    let change: Change?
    /// Called once, when it is on the disk or cannot be.
    let answer: @Sendable ((any Error)?) -> Void
}

/// Those who wait for a save.
final class SaveRequests: Sendable {
    private let waiting = Lock<[SaveRequest]>([])

    func add(_ request: SaveRequest) { waiting.withLock { $0.append(request) } }

    func takeAll() -> [SaveRequest] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Those who wait for what is pending only.
    func takeFlushes() -> [SaveRequest] {
        waiting.withLock { waiting in
            let flushes = waiting.filter { $0.change == nil }
            waiting.removeAll { $0.change == nil }
            return flushes
        }
    }

    var hasChanges: Bool { waiting.withLock { $0.contains { $0.change != nil } } }
}
