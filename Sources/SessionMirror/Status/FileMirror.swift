public import DurableFiles
public import LosslessJSON

/// The synchronization of a session with its file: `session.mirror`.
///
/// ```swift
/// if case .invalid(let problem) = session.mirror.status.content { print(problem) }
/// for await problem in session.mirror.problems { log.warning("\(problem)") }
/// ```
public struct FileMirror: Sendable {
    /// What has the status.
    enum Source: Sendable {
        case file(FileSynchronizer, ChangeDispatcher)
        case memory(MemoryStatus)
    }

    private let source: Source

    init(_ source: Source) { self.source = source }

    private var file: FileSynchronizer? { if case .file(let file, _) = source { file } else { nil } }

    private var subscribers: ReportSubscribers {
        switch source {
        case .file(_, let dispatcher): dispatcher.reportSubscribers
        case .memory(let memory): memory.reportSubscribers
        }
    }

    /// The path of the file, as passed to the session; nil for a session without a file.
    public var path: String? { file?.path }

    /// The current status.
    public var status: MirrorStatus {
        ThreadPool.shared.retryStartsIfShort()
        var status =
            switch source {
            case .file(let file, let dispatcher): file.status(for: dispatcher.decoding())
            case .memory(let memory): memory.status
            }
        status.isShortOfThreads = ThreadPool.shared.isShortOfThreads
        return status
    }

    /// Counters since the session was opened.
    public var metrics: MirrorMetrics { file?.metrics ?? MirrorMetrics() }

    /// The last valid text of the file, as it was loaded or saved, for example for its comments; nil if the file does not
    /// exist, or was never valid. Pending changes are not in it.
    public var document: JSONDocument? { file?.document }

    /// What the last save of this session did, and which guarantees it could not give; nil before the first save. It has no
    /// contents: the session keeps the text once, as ``document``.
    public var lastSave: Replacement? { file?.lastSave }

    /// Reloads the file now, for example on SIGHUP. Returns at once.
    public func reload() { ThreadPool.blocking { file?.reload() } }

    /// Calls `body` with every report, in order, until the result is released. The first reports are the current
    /// problems and status. A subscriber that falls behind loses the oldest reports beyond 1,024.
    public func observe(
        on delivery: Delivery = .background, _ body: @escaping @Sendable (MirrorReport) -> Void
    ) -> Subscription { observe(Callback(on: delivery, body)) }

    /// Calls `body` on the main actor with every report, in order, until the result is released.
    public func observe(
        on delivery: MainActorDelivery, _ body: @escaping @MainActor (MirrorReport) -> Void
    ) -> Subscription { observe(Callback(on: delivery, body)) }

    /// Calls `body` on an actor with every report, in order, until the result is released. Does not keep the actor
    /// alive.
    public func observe<Target: Actor>(
        on actor: Target, _ body: @escaping @Sendable (isolated Target, MirrorReport) -> Void
    ) -> Subscription { observe(Callback(on: actor, body)) }

    private func observe(_ callback: Callback<MirrorReport>) -> Subscription {
        start(
            ReportSubscriber { subscriber in
                callback.run { body in
                    guard let report = subscriber.take() else { return false }
                    body(report)
                    return true
                }
            })
    }

    /// Every report, in order, for one loop, starting with the current problems and status. Ends when the session is
    /// closed or released. A loop that falls behind loses the oldest reports beyond 1,024.
    public var reports: MirrorReports {
        let signal = AsyncSignal()
        let subscriber = ReportSubscriber(notify: { _ in signal.signal() }, onFinish: signal.finish)
        return MirrorReports(subscriber: subscriber, subscription: start(subscriber), signal: signal)
    }

    /// The problems of the file, for one loop, starting with the current ones. Ends when the session is closed or
    /// released.
    public var problems: some AsyncSequence<SessionProblem, Never> & Sendable {
        reports.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    }

    private func start(_ subscriber: ReportSubscriber) -> Subscription {
        ThreadPool.blocking {
            let subscription = subscribers.add(subscriber)
            let (reports, number) =
                switch source {
                case .file(let file, let dispatcher): file.currentReports(for: dispatcher.decoding())
                case .memory(let memory): memory.currentReports
                }
            subscriber.start(with: reports, after: number)
            if subscribers.isFinished { subscriber.finish() }
            return subscription
        }
    }
}
