/// What happens between a session and its file, for one loop; see ``FileMirror/reports``.
public struct MirrorReports: AsyncSequence, Sendable {
    /// What the loop gets.
    public typealias Element = MirrorReport
    /// It never fails.
    public typealias Failure = Never

    let listener: Listener
    let subscription: Subscription
    let calls: AsyncStream<Void>

    /// For `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(reports: self, calls: calls.makeAsyncIterator()) }

    /// For `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the subscription, which would end with the sequence.
        fileprivate let reports: MirrorReports
        fileprivate var calls: AsyncStream<Void>.Iterator

        /// The next report; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> MirrorReport? {
            repeat {
                if let report = reports.listener.take() { return report }
            } while await calls.next(isolation: actor) != nil
            return nil
        }
    }
}
