/// Wakes an asynchronous loop when items are available, however many.
struct AsyncSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Signals that items are available.
    func signal() { continuation.yield() }

    /// Ends the loop once it has taken the remaining items.
    func finish() { continuation.finish() }

    func makeIterator() -> Iterator { Iterator(signals: stream.makeAsyncIterator()) }

    struct Iterator {
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Returns the next item that `take` provides; nil at the end, and when the task is cancelled, even if items
        /// are left.
        mutating func next<Item>(isolation actor: isolated (any Actor)?, from take: () -> Item?) async -> Item? {
            repeat {
                if Task.isCancelled { return nil }
                if let item = take() { return item }
            } while await signals.next(isolation: actor) != nil
            return nil
        }
    }
}
