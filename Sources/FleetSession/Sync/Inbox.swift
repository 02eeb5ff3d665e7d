internal import EtcdClient
internal import Locking

/// What has happened since the synchronization last looked. Events of one kind are combined, so that it is never behind
/// by more than one step.
final class Inbox: Sendable {
    struct Events: Sendable {
        /// The newest text of the store that was announced, and the number of texts before it that are skipped.
        var stored: StoredText?
        var skipped = 0
        /// Whether the store has begun to announce changes.
        var isWatching = false
        /// Whether the text of the file has changed.
        var isTextChanged = false
        var isRenewalDue = false
        /// Whether it is time to try again what was blocked.
        var isRetryDue = false
        /// Why the connection was lost.
        var failure: EtcdError?
        var isClosed = false

        /// The number of texts of the store that were announced.
        var storedCount: Int { stored == nil ? 0 : skipped + 1 }
    }

    private let events = Lock(Events())
    private let lastAnnounced = Lock(0)
    private let continuation: AsyncStream<Void>.Continuation
    /// Yields after events, for one loop. Ends when the inbox is closed.
    let signals: AsyncStream<Void>

    init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ event: (inout Events) -> Void) {
        events.withLock { event(&$0) }
        continuation.yield()
    }

    /// The revision of the last text of the store that was announced.
    var announcedRevision: Int { lastAnnounced.withLock { $0 } }

    /// Prepares for texts after a revision.
    func begin(after revision: Int) { lastAnnounced.withLock { $0 = revision } }

    func received(_ stored: StoredText) {
        lastAnnounced.withLock { $0 = max($0, stored.revision) }
        add { events in
            if events.stored != nil { events.skipped += 1 }
            events.stored = stored
        }
    }

    func close() {
        events.withLock { $0.isClosed = true }
        continuation.finish()
    }

    var isClosed: Bool { waiting.isClosed }

    /// The events that were not taken yet.
    var waiting: Events { events.withLock { $0 } }

    /// Takes the events, except for the end, which stays.
    func take() -> Events {
        events.withLock { events in
            defer { events = Events(isClosed: events.isClosed) }
            return events
        }
    }
}
