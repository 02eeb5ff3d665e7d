internal import VisibleText

/// An event between a session and its file, other than a change to the value.
public enum MirrorReport: Sendable, Hashable {
    /// The file cannot be used, has an unknown or duplicate key, or saving fails; reported once, until the
    /// problem changes. Or a conflict, a restored value or a reverted value; reported each time.
    case problem(SessionProblem)
    /// A reported problem has ended: the file can be used again or was deleted, the key was removed, or saving works
    /// again.
    case recovered(SessionProblem)
    /// The status has changed.
    case status(MirrorStatus)
}

extension MirrorReport: CustomStringConvertible {
    /// The report on one line, for logs.
    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .recovered(let problem): "\(problem.file.visible(upTo: 1_000)): solved: \(problem.message)"
        case .status(let status): status.description
        }
    }
}

/// An asynchronous sequence of reports, for one loop; see ``FileMirror/reports``.
public struct MirrorReports: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = MirrorReport
    /// The sequence never throws.
    public typealias Failure = Never

    let subscriber: ReportSubscriber
    let subscription: Subscription
    let signal: AsyncSignal

    /// Creates the iterator for `for await`.
    public func makeAsyncIterator() -> Iterator { Iterator(reports: self, signal: signal.makeIterator()) }

    /// The iterator for `for await`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the subscription alive.
        fileprivate let reports: MirrorReports
        fileprivate var signal: AsyncSignal.Iterator

        /// Returns the next report; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> MirrorReport? {
            await signal.next(isolation: actor, from: reports.subscriber.take)
        }
    }
}
