/// What wakes a loop: somebody calls when there is something to take, however much it is.
struct Calls: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// There is something to take.
    func call() { continuation.yield() }

    /// There will be nothing more; what was not taken can still be.
    func end() { continuation.finish() }

    func makeIterator() -> Iterator { Iterator(calls: stream.makeAsyncIterator()) }

    struct Iterator {
        fileprivate var calls: AsyncStream<Void>.Iterator

        /// The next that `take` gives; nil at the end.
        mutating func next<Item>(isolation actor: isolated (any Actor)?, from take: () -> Item?) async -> Item? {
            repeat {
                if let item = take() { return item }
            } while await calls.next(isolation: actor) != nil
            return nil
        }
    }
}
