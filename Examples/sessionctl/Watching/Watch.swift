import LosslessJSON
import SessionMirror
import VisibleText

/// The `watch` command: prints the events of a session in order until an end condition is met.
struct Watch {
    private let request: WatchRequest
    private let deadline: ContinuousClock.Instant?
    private let queue: EventQueue
    private var format: any WatchFormat
    /// The last version that was printed, or skipped because it changed none of the paths.
    private var shown: Snapshot<JSON>?
    private var count = 0
    private var hasReceivedStatus = false

    init(_ request: WatchRequest) throws(Failure) {
        self.request = request
        deadline = request.limit.map { .now + $0.duration }
        queue = try EventQueue()
        format = request.usesJSON ? JSONLinesFormat() : TextFormat(request)
    }

    mutating func run() throws(Failure) -> ExitCode {
        let session = try openSession()
        try printHeader(session.snapshot)
        let subscriptions = subscribe(to: session)
        defer { for subscription in subscriptions { subscription.cancel() } }
        // A version may have been published before the subscription.
        queue.add(.version(session.snapshot, at: .now))
        while !isFinished { try showNextEvents() }
        return .success
    }

    private func openSession() throws(Failure) -> Session<JSON> {
        var options = SessionOptions()
        options.parsing.dialect = request.dialect
        options.watching = request.isPolled ? .polling : .automatic
        do throws(SessionError) {
            return try Session([:], at: request.file, options: options)
        } catch {
            throw .systemError(error.message.visible)
        }
    }

    /// Each event is added on the thread that delivers it, so that the order is kept.
    private func subscribe(to session: Session<JSON>) -> [Subscription] {
        let (queue, immediate) = (queue, Delivery.custom { job in job() })
        return [
            session.mirror.observe(on: immediate) { queue.add(.report($0)) },
            session.observe(\.self, on: immediate) { [weak session] _ in
                if let session { queue.add(.version(session.snapshot, at: .now)) }
            },
        ]
    }

    private mutating func showNextEvents() throws(Failure) {
        switch try queue.wait(until: deadline) {
        case .events: for event in queue.takeAll() where !isFinished { try show(event) }
        case .outputClosed: throw .outputClosed
        case .timedOut: throw .negative("\(request.title): \(timeoutReason)")
        }
    }
}

extension Watch {
    /// Whether the condition of `--count` or `--until` is met.
    private var isFinished: Bool {
        if let wanted = request.count, count >= wanted { return true }
        if let awaitedValue = request.awaitedValue, let shown { return awaitedValue.isReached(in: shown.value) }
        return false
    }

    /// The message after a timeout.
    private var timeoutReason: String {
        let time = request.limit?.text ?? ""
        if let awaitedValue = request.awaitedValue, let shown {
            return "after \(time): \(awaitedValue.timeoutReason(in: shown.value))"
        }
        if let wanted = request.count { return "after \(time): \(count) of \(wanted) changes" }
        return "timed out after \(time)"
    }

    private mutating func printHeader(_ snapshot: Snapshot<JSON>) throws(Failure) {
        try Output.standard.write(format.header(snapshot) + "\n")
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
        let changes = snapshot.value.difference(from: shown.value).filter { request.includes($0.path) }
        if changes.isEmpty { return }
        let locations = snapshot.locations(of: changes.lazy.filter { $0.new != nil }.map(\.path))
        let located = changes.map { LocatedChange(change: $0, line: $0.new == nil ? nil : locations[$0.path]?.line) }
        let lines = format.changes(located, in: snapshot, at: time)
        let wanted = lines.prefix(request.count.map { $0 - count } ?? .max)
        count += wanted.count
        try Output.standard.write(wanted.map { $0 + "\n" }.joined())
    }

    private mutating func show(_ report: MirrorReport) throws(Failure) {
        let shouldShow = shouldShow(report)
        guard let text = format.report(report), shouldShow else { return }
        try Output.standard.write(text + "\n")
    }

    /// Skips the first status, which the session was opened with, unless the file is missing or not watched live: the
    /// initial value or the problem says the rest.
    private mutating func shouldShow(_ report: MirrorReport) -> Bool {
        guard case .status(let status) = report, !hasReceivedStatus else { return true }
        hasReceivedStatus = true
        return status.watching != .live || status.content == .missing
    }
}
