internal import EtcdClient
internal import Locking

/// What has happened since the synchronization last looked. Events of one kind are combined, so that it is never behind
/// by more than one step.
final class Inbox: Sendable {
    struct Events: Sendable {
        /// The newest text of the store that was announced, and the number of texts before it that are skipped.
        var stored: StoredText?
        var skipped = 0
        /// Whether the text of the file has changed.
        var isTextChanged = false
        var isRenewalDue = false
        /// Whether it is time to try again what was blocked.
        var isRetryDue = false
        /// Why the connection was lost.
        var failure: EtcdError?
        var isClosed = false
    }

    private let events = Lock(Events())
    private let continuation: AsyncStream<Void>.Continuation
    /// Yields after events, for one loop. Ends when the inbox is closed.
    let signals: AsyncStream<Void>

    init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ event: (inout Events) -> Void) {
        events.withLock { event(&$0) }
        continuation.yield()
    }

    func received(_ stored: StoredText) {
        add { events in
            if events.stored != nil { events.skipped += 1 }
            events.stored = stored
        }
    }

    func close() {
        events.withLock { $0.isClosed = true }
        continuation.finish()
    }

    var isClosed: Bool { events.withLock { $0.isClosed } }

    /// Takes the events, except for the end, which stays.
    func take() -> Events {
        events.withLock { events in
            defer { events = Events(isClosed: events.isClosed) }
            return events
        }
    }
}
