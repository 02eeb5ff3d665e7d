public import DurableFiles

/// The synchronization of a session with its file: `session.mirror`.
///
/// ```swift
/// if case .invalid(let problem) = session.mirror.status.content { print(problem) }
/// for await problem in session.mirror.problems { log.warning("\(problem)") }
/// ```
public struct FileMirror: Sendable {
    private let file: FileSynchronizer?
    private let subscribers: ReportSubscribers

    init(_ file: FileSynchronizer?, _ subscribers: ReportSubscribers) {
        self.file = file
        self.subscribers = subscribers
    }

    /// The path of the file, as passed to the session; nil for a session without a file.
    public var path: String? { file?.path }

    /// The current status.
    public var status: MirrorStatus {
        ThreadPool.shared.retryStartsIfShort()
        var status = file?.status ?? MirrorStatus(watching: .notWatching, content: .good)
        status.isShortOfThreads = ThreadPool.shared.isShortOfThreads
        return status
    }

    /// Counters since the session was opened.
    public var metrics: MirrorMetrics { file?.metrics ?? MirrorMetrics() }

    /// What the last save of this session did, and which guarantees it could not give; nil before the first save.
    public var lastSave: Replacement? { file?.lastSave }

    /// Reloads the file now, for example on SIGHUP. Returns at once.
    public func reload() { ThreadPool.blocking { file?.reload() } }

    /// Calls `body` with every report, in order, until the result is released. The first reports are the current
    /// problems and status. A subscriber that falls behind loses the oldest reports beyond 1,024.
    public func observe(
        on delivery: Delivery = .background, _ body: @escaping @Sendable (MirrorReport) -> Void
    ) -> Subscription {
        start(
            ReportSubscriber { subscriber in
                delivery.run {
                    while let report = subscriber.take() { body(report) }
                }
            })
    }

    /// Every report, in order, for one loop, starting with the current problems and status. Ends when the session is closed
    /// or released. A loop that falls behind loses the oldest reports beyond 1,024.
    public var reports: MirrorReports {
        let signal = AsyncSignal()
        let subscriber = ReportSubscriber(notify: { _ in signal.signal() }, onFinish: signal.finish)
        return MirrorReports(subscriber: subscriber, subscription: start(subscriber), signal: signal)
    }

    /// The problems of the file, for one loop, starting with the current ones. Ends when the session is closed or released.
    public var problems: some AsyncSequence<SessionProblem, Never> & Sendable {
        reports.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    }

    private func start(_ subscriber: ReportSubscriber) -> Subscription {
        ThreadPool.blocking {
            let subscription = subscribers.add(subscriber)
            let (reports, number) = file?.currentReports ?? ([.status(status)], 0)
            subscriber.start(with: reports, after: number)
            if file == nil || subscribers.isFinished { subscriber.finish() }
            return subscription
        }
    }
}
