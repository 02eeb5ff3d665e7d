internal import Locking

extension Instant {
    static let nanosecondsPerSecond: Int64 = 1_000_000_000

    static func + (start: Instant, nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: start.nanoseconds + nanoseconds)
    }
}

/// A call that the watching thread makes at an instant, and again at each instant that the call returns.
struct ScheduledCall: Sendable {
    let due: Instant
    let body: @Sendable () -> Instant?
}

/// The scheduled calls that are not due yet.
struct ScheduledCalls {
    private var calls: [ScheduledCall] = []

    var deadline: Instant? { calls.lazy.map(\.due).min() }

    mutating func add(_ call: ScheduledCall) { calls.append(call) }

    mutating func takeDue(_ now: Instant) -> [ScheduledCall] {
        if calls.isEmpty { return [] }
        defer { calls.removeAll { $0.due <= now } }
        return calls.filter { $0.due <= now }
    }
}

/// The polled paths that inotify is retried for, all of them together once per interval.
struct RetrySchedule {
    private let interval: Int64
    private(set) var paths: Set<PathID> = []
    private(set) var deadline: Instant?

    init(interval: Int64) { self.interval = interval }

    mutating func insert(_ path: PathID, _ now: Instant) {
        paths.insert(path)
        if deadline == nil { deadline = now + interval }
    }

    mutating func remove(_ path: PathID) {
        paths.remove(path)
        if paths.isEmpty { deadline = nil }
    }

    /// Returns the paths to retry, or nothing before the deadline.
    mutating func takeDue(_ now: Instant) -> [PathID] {
        guard let due = deadline, due <= now else { return [] }
        deadline = now + interval
        return paths.sorted { $0.number < $1.number }
    }
}

/// Changed paths whose handlers have been called and whose watches must still be checked.
///
/// The check is deferred by a quarter of a millisecond: whatever reacts to the change is more urgent and may be about
/// to run on the same processor. One check then also covers the next steps of an editor.
struct DeferredRearms {
    private static let delay: Int64 = 250_000

    private var changes: [PathID: EventBatch.PathChange] = [:]
    private(set) var deadline: Instant?

    mutating func add(_ change: EventBatch.PathChange, _ now: Instant) {
        let needsRearm = change.needsRearm || changes[change.path]?.needsRearm == true
        changes[change.path] = EventBatch.PathChange(path: change.path, isDirect: true, needsRearm: needsRearm)
        if deadline == nil { deadline = now + Self.delay }
    }

    /// Returns and removes all deferred checks, or nothing before the deadline.
    mutating func takeDue(_ now: Instant) -> [EventBatch.PathChange] {
        guard let due = deadline, due <= now else { return [] }
        defer { self = DeferredRearms() }
        return Array(changes.values)
    }
}
