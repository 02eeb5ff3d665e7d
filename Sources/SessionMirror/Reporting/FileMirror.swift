public import DurableFiles

/// What goes on between a session and its file: `session.mirror`.
///
/// ```swift
/// if case .invalid(let problem) = session.mirror.status.content { print(problem) }
/// for await problem in session.mirror.problems { log.warning("\(problem)") }
/// ```
public struct FileMirror: Sendable {
    private let file: (any MirroredFile)?
    private let listeners: Listeners

    init(_ file: (any MirroredFile)?, _ listeners: Listeners) {
        self.file = file
        self.listeners = listeners
    }

    /// The path of the file, as the session was given it; nil for a session without one.
    public var path: String? { file?.path }

    /// How they are getting on.
    public var status: MirrorStatus { file?.status ?? MirrorStatus(watching: .frozen, content: .good) }

    /// What was done so far.
    public var metrics: MirrorMetrics { file?.metrics ?? MirrorMetrics() }

    /// What the last save of this session did, and what it could not promise; nil before the first.
    public var lastSave: Replacement? { file?.lastSave }

    /// Looks at the file now, as if it had changed; for SIGHUP, by habit. Returns at once.
    public func reload() { file?.lookAgain() }

    /// Calls `body` with everything that happens, in order, until the result is gone; first with what stands: the problem,
    /// if there is one, and the status.
    public func observe(
        on delivery: Delivery = .background, _ body: @escaping @Sendable (MirrorReport) -> Void
    ) -> Subscription {
        begin(
            Listener { listener in
                delivery.run {
                    while let report = listener.take() { body(report) }
                }
            })
    }

    /// Everything that happens, in order, for a loop; first what stands. It ends when the session is closed or gone.
    public var reports: MirrorReports {
        let calls = Calls()
        let listener = Listener(call: { _ in calls.call() }, end: calls.end)
        return MirrorReports(listener: listener, subscription: begin(listener), calls: calls)
    }

    /// The problems of the file, for a loop; first what stands. It ends when the session is closed or gone.
    public var problems: some AsyncSequence<Problem, Never> & Sendable {
        reports.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    }

    private func begin(_ listener: Listener) -> Subscription {
        let subscription = listeners.add(listener)
        let (reports, number) = file?.standing ?? ([.status(status)], 0)
        listener.begin(with: reports, after: number)
        if file == nil || listeners.isOver { listener.finish() }
        return subscription
    }
}

/// A file that is mirrored, whatever its value.
protocol MirroredFile: Sendable {
    var path: String { get }
    var status: MirrorStatus { get }
    var metrics: MirrorMetrics { get }

    /// The problems that stand and the status, and the number of the last report that led to them.
    var standing: (reports: [MirrorReport], number: Int) { get }

    /// What the last save was and promised.
    var lastSave: Replacement? { get }

    func lookAgain()
}
