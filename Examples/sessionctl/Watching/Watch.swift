import LosslessJSON
import SessionMirror

/// The run of the command: what a session tells is shown, one thing after the other, until there is a reason to end.
struct Watch {
    private let request: WatchRequest
    private let deadline: ContinuousClock.Instant?
    private let inbox: Inbox
    private var format: any WatchFormat
    /// What was shown last, or withheld because it concerns none of the paths.
    private var shown: Snapshot<JSON>?
    private var count = 0
    private var hasHeardStatus = false

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        inbox = try Inbox()
        format = request.isForPrograms ? ObjectLines() : PlainLines(request)
    }

    mutating func run() throws(Failure) -> ExitCode {
        let session = try openSession()
        try begin(with: session.snapshot)
        let subscriptions = subscribe(to: session)
        defer { for subscription in subscriptions { subscription.cancel() } }
        // What came before the subscription.
        inbox.add(.version(session.snapshot, at: .now))
        while !isOver { try showWhatComes() }
        return .done
    }

    private func openSession() throws(Failure) -> Session<JSON> {
        var options = SessionOptions()
        options.parsing.dialect = request.dialect
        options.isPolled = request.isPolled
        do throws(SessionError) {
            return try Session([:], at: request.file, options: options)
        } catch {
            throw .refused(error.message.visible)
        }
    }

    /// In the order in which things happen: each is put into the inbox by the thread that tells it.
    private func subscribe(to session: Session<JSON>) -> [Subscription] {
        let (inbox, atOnce) = (inbox, Delivery.custom { job in job() })
        return [
            session.mirror.observe(on: atOnce) { inbox.add(.report($0)) },
            session.observe(\.self, on: atOnce) { [weak session] _ in
                if let session { inbox.add(.version(session.snapshot, at: .now)) }
            },
        ]
    }

    private mutating func showWhatComes() throws(Failure) {
        switch try inbox.wait(until: deadline) {
        case .events: for event in inbox.takeAll() where !isOver { try show(event) }
        case .unread: throw .unread
        case .timeOver: throw .no("\(request.title): \(shortfall)")
        }
    }
}

extension Watch {
    /// Whether everything that was asked for has been shown.
    private var isOver: Bool {
        if let wanted = request.count, count >= wanted { return true }
        if let goal = request.goal, let shown { return goal.isReached(in: shown.value) }
        return false
    }

    /// What did not come in time.
    private var shortfall: String {
        let time = request.limit?.text ?? ""
        if let goal = request.goal, let shown { return "after \(time): \(goal.shortfall(in: shown.value))" }
        if let wanted = request.count { return "after \(time): \(count) of \(wanted) changes" }
        return "time is over after \(time)"
    }

    private mutating func begin(with snapshot: Snapshot<JSON>) throws(Failure) {
        try Output.standard.write(format.beginning(snapshot) + "\n")
        shown = snapshot
    }

    private mutating func show(_ event: WatchEvent) throws(Failure) {
        switch event {
        case .version(let snapshot, let time): try show(snapshot, at: time)
        case .report(let report): try show(report)
        }
    }

    private mutating func show(_ snapshot: Snapshot<JSON>, at time: UnixTime) throws(Failure) {
        guard let shown, snapshot.version > shown.version else { return }
        self.shown = snapshot
        let changes = snapshot.value.difference(from: shown.value).filter { request.concerns($0.path) }
        if changes.isEmpty { return }
        let locations = snapshot.locations(of: changes.lazy.filter { $0.new != nil }.map(\.path))
        let located = changes.map { LocatedChange(change: $0, line: $0.new == nil ? nil : locations[$0.path]?.line) }
        let lines = format.changes(located, in: snapshot, at: time)
        let wanted = lines.prefix(request.count.map { $0 - count } ?? .max)
        count += wanted.count
        try Output.standard.write(wanted.map { $0 + "\n" }.joined())
    }

    private mutating func show(_ report: MirrorReport) throws(Failure) {
        let isNews = isNews(report)
        guard let text = format.report(report), isNews else { return }
        try Output.standard.write(text + "\n")
    }

    /// The first status is the one that the session was opened with: that it is good is said by the value, and that it is
    /// not by the problem.
    private mutating func isNews(_ report: MirrorReport) -> Bool {
        guard case .status(let status) = report, !hasHeardStatus else { return true }
        hasHeardStatus = true
        return status.watching != .live || status.content == .missing
    }
}
