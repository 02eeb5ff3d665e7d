internal import Locking

/// Delivers new snapshots and reports to the subscribers of one session: sequentially, on a worker, never under a lock.
///
/// Publishers only post a notification; the worker delivers the snapshot that is current when it runs.
final class ChangeDispatcher: Sendable {
    private struct State {
        /// Snapshots whose successors have another origin, and that were not delivered yet, the oldest first.
        var lastOfOrigin: [AnySnapshotStorage] = []
        var reports: [NumberedReport] = []
        var reportCount = 0
        var isDelivering = false
        var isPostedAgain = false
        var isFinishing = false

        /// Takes the reports up to a number, which are mostly all that there are, or none.
        mutating func takeReports(upTo number: Int) -> [NumberedReport] {
            guard let last = reports.last else { return [] }
            if last.number > number {
                defer { reports.removeAll { $0.number <= number } }
                return reports.filter { $0.number <= number }
            }
            defer { reports = [] }
            return reports
        }
    }

    let subscriptions = Subscriptions()
    let reportSubscribers = ReportSubscribers()
    let ownedSubscriptions = OwnedSubscriptions()
    let snapshotCell: any AnySnapshotCell
    private let state = Lock(State())

    /// nil if such problems are not written.
    let unobservedProblems: UnobservedProblemWriter?

    init(_ snapshotCell: any AnySnapshotCell, unobservedProblems: SessionOptions.UnobservedProblems = .ignore) {
        self.snapshotCell = snapshotCell
        self.unobservedProblems =
            switch unobservedProblems {
            case .standardError: UnobservedProblemWriter(reportSubscribers)
            case .ignore: nil
            }
    }

    /// Adds a report, to be delivered after the snapshot that is published with it.
    func add(_ report: MirrorReport) {
        state.withLock { state in
            state.reportCount += 1
            state.reports.append(NumberedReport(number: state.reportCount, report: report))
        }
    }

    /// Adds a report about the file: a status with the problem of this session, if that is its only one.
    func addReportOfFile(_ report: MirrorReport) {
        if case .status(let status) = report, let problem = snapshotCell.problem {
            add(.status(status.adding(problem)))
        } else {
            add(report)
        }
    }

    /// Publishes a snapshot of the file, and reports what it changes about the problem of this session only.
    func publish(_ next: AnySnapshotStorage, _ status: MirrorStatus, _ replaced: inout ReplacedObjects) {
        let before = snapshotCell.problem
        publish(next, &replaced)
        addProblemChange(since: before, status)
    }

    /// Publishes a snapshot, and adds what the caller has to retire.
    func publish(_ next: AnySnapshotStorage, _ replaced: inout ReplacedObjects) {
        prepare(toPublish: next)
        snapshotCell.replace(withAny: next, &replaced)
    }

    /// Reports the current problem of this session only, if it differs from the one before; returns whether it does.
    @discardableResult
    func addProblemChange(since before: SessionProblem?, _ status: MirrorStatus) -> Bool {
        let now = snapshotCell.problem
        if now == before { return false }
        if let before { add(.recovered(before)) }
        if let now { add(.problem(now)) }
        add(.status(status.adding(now)))
        return true
    }

    /// The most snapshots kept for their origin, while user code holds up the delivery.
    private static let originLimit = 16

    /// Must be called before a snapshot is published. Subscribers may skip versions, but each changed value has the
    /// origin of the version that changed it, so the last version of each origin is kept until it is delivered.
    private func prepare(toPublish next: AnySnapshotStorage) {
        let current = snapshotCell.published
        if current.origin == next.origin || subscriptions.isEmpty { return }
        // Releases the dropped snapshot outside the lock, because its deinit may run user code.
        _ = state.withLock { state -> AnySnapshotStorage? in
            state.lastOfOrigin.append(current)
            return state.lastOfOrigin.count > Self.originLimit ? state.lastOfOrigin.removeFirst() : nil
        }
    }

    private var hasNoSubscribers: Bool { subscriptions.isEmpty && reportSubscribers.isEmpty }

    /// Whether a delivery would have no effect: no value is observed, and no report is pending.
    private var hasNothingToDeliver: Bool {
        // Delivering an outdated snapshot finds out whether the session has a problem with it.
        subscriptions.isEmpty && ownedSubscriptions.isEmpty && !snapshotCell.isOutdated
            && state.withLock { $0.reports.isEmpty && $0.lastOfOrigin.isEmpty && !$0.isFinishing }
    }

    /// This dispatcher, after the current snapshot was decoded, so that its problem is known. May run user code.
    func decoding() -> ChangeDispatcher {
        _ = snapshotCell.latest
        return self
    }

    /// The number of reports added so far.
    var reportCount: Int { state.withLock { $0.reportCount } }

    /// Schedules a delivery. On a worker it happens immediately.
    func post(on pool: ThreadPool = .shared) {
        pool.retryStartsIfShort()
        let count = reportCount
        if hasNoSubscribers {
            // A later subscriber starts with the current status, which includes these reports.
            let (dropped, isFinishing) = state.withLock { ($0.takeReports(upTo: count), $0.isFinishing) }
            for report in dropped { unobservedProblems?.add(report.report) }
            // The last subscriber can have left after the end began.
            return isFinishing ? finishSubscribers() : ()
        }
        // A program that observes only reports may change the value often: do not wake a worker for each change.
        if hasNothingToDeliver { return }
        let begins = state.withLock { state in
            state.isPostedAgain = state.isDelivering
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if begins { pool.runHereOrSoon { self.deliver() } }
    }

    private func deliver() {
        repeat {
            ownedSubscriptions.removeOrphans()
            state.withLock { $0.isPostedAgain = false }
            // Before the others are taken: those that precede it were added before it was published.
            let latest = snapshotCell.latest
            let (earlier, reports) = state.withLock { state in
                defer { (state.lastOfOrigin, state.reports) = ([], []) }
                return (state.lastOfOrigin, state.reports)
            }
            for snapshot in earlier.map(snapshotCell.own) { subscriptions.deliver(snapshot) }
            subscriptions.deliver(latest)
            deliver(reports)
        } while continuesDelivering()
        if state.withLock({ $0.isFinishing }) { finishSubscribers() }
    }

    private func deliver(_ reports: [NumberedReport]) {
        let isObserved = !reportSubscribers.isEmpty
        for report in reports {
            reportSubscribers.deliver(report)
            if !isObserved { unobservedProblems?.add(report.report) }
        }
    }

    /// Whether something was posted meanwhile; if not, the next post starts a new delivery.
    private func continuesDelivering() -> Bool {
        state.withLock { state in
            state.isDelivering = state.isPostedAgain
            return state.isPostedAgain
        }
    }

    /// Whether no more changes will come.
    var isFinished: Bool { reportSubscribers.isFinished }

    /// Delivers what is pending, then finishes all subscribers.
    func finish(on pool: ThreadPool = .shared) {
        if hasNoSubscribers { return finishSubscribers() }
        state.withLock { $0.isFinishing = true }
        post(on: pool)
    }

    private func finishSubscribers() {
        unobservedProblems?.flush()
        subscriptions.finish()
        reportSubscribers.finish()
        ownedSubscriptions.detachAll()
    }
}
