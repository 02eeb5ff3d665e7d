internal import Locking

/// Delivers new snapshots and reports to the subscribers of one session: sequentially, on a worker, never under a lock.
///
/// Publishers only post a notification; the worker delivers the snapshot that is current when it runs.
final class ChangeDispatcher: Sendable {
    private struct State {
        var reports: [NumberedReport] = []
        var reportCount = 0
        var isDelivering = false
        var isPostedAgain = false
        var isFinishing = false
    }

    let subscriptions = Subscriptions()
    let reportSubscribers = ReportSubscribers()
    private let snapshotCell: any AnySnapshotCell
    private let state = Lock(State())

    init(_ snapshotCell: any AnySnapshotCell) { self.snapshotCell = snapshotCell }

    /// Adds a report, to be delivered after the snapshot that is published with it.
    func add(_ report: MirrorReport) {
        state.withLock { state in
            state.reportCount += 1
            state.reports.append(NumberedReport(number: state.reportCount, report: report))
        }
    }

    private var hasNoSubscribers: Bool { subscriptions.isEmpty && reportSubscribers.isEmpty }

    /// The number of reports added so far.
    var reportCount: Int { state.withLock { $0.reportCount } }

    /// Schedules a delivery. On a worker it happens immediately.
    func post(on pool: ThreadPool = .shared) {
        pool.retryStartsIfShort()
        let count = reportCount
        if hasNoSubscribers {
            // A later subscriber starts with the current status, which includes these reports.
            let isFinishing = state.withLock { state in
                state.reports.removeAll { $0.number <= count }
                return state.isFinishing
            }
            // The last subscriber can have left after the end began.
            return isFinishing ? finishSubscribers() : ()
        }
        let begins = state.withLock { state in
            state.isPostedAgain = state.isDelivering
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if begins { pool.runHereOrSoon { self.deliver() } }
    }

    private func deliver() {
        repeat {
            let reports = state.withLock { state in
                state.isPostedAgain = false
                defer { state.reports = [] }
                return state.reports
            }
            subscriptions.deliver(snapshotCell.latest)
            for report in reports { reportSubscribers.deliver(report) }
        } while continuesDelivering()
        if state.withLock({ $0.isFinishing }) { finishSubscribers() }
    }

    /// Whether something was posted meanwhile; if not, the next post starts a new delivery.
    private func continuesDelivering() -> Bool {
        state.withLock { state in
            state.isDelivering = state.isPostedAgain
            return state.isPostedAgain
        }
    }

    /// Delivers what is pending, then finishes all subscribers.
    func finish(on pool: ThreadPool = .shared) {
        if hasNoSubscribers { return finishSubscribers() }
        state.withLock { $0.isFinishing = true }
        post(on: pool)
    }

    private func finishSubscribers() {
        subscriptions.finish()
        reportSubscribers.finish()
    }
}
