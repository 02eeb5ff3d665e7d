/// What happens between a session and its file, for one loop; see ``FileMirror/reports``.
public struct MirrorReports: AsyncSequence, Sendable {
    /// What the loop gets.
    public typealias Element = MirrorReport
    /// It never fails.
    public typealias Failure = Never

    let listener: Listener
    let subscription: Subscription
    let calls: Calls

    /// For `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(reports: self, calls: calls.makeIterator()) }

    /// For `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the subscription, which would end with the sequence.
        fileprivate let reports: MirrorReports
        fileprivate var calls: Calls.Iterator

        /// The next report; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> MirrorReport? {
            await calls.next(isolation: actor, from: reports.listener.take)
        }
    }
}
