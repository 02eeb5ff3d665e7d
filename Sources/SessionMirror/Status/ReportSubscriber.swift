internal import Locking

/// A report and its number: how many reports the session had made with it.
struct NumberedReport: Sendable {
    let number: Int
    let report: MirrorReport
}

/// A subscriber to the reports of a session, which receives every report, in order.
///
/// A subscriber that does not keep up loses the oldest reports beyond 1,024.
final class ReportSubscriber: Sendable {
    private struct State {
        var reports: [NumberedReport] = []
        var hasStarted = false
        /// The number of reports that the initial status already includes.
        var lastIncluded = 0
        var isNotified = false
        var isFinished = false
    }

    private static let capacity = 1_024

    private let state = Lock(State())
    private let notify: @Sendable (ReportSubscriber) -> Void
    private let onFinish: @Sendable () -> Void

    /// - Parameters:
    ///   - notify: Called when a report is available, and not again until all reports were taken.
    ///   - onFinish: Called when no more reports will come.
    init(
        notify: @escaping @Sendable (ReportSubscriber) -> Void, onFinish: @escaping @Sendable () -> Void = {}
    ) {
        self.notify = notify
        self.onFinish = onFinish
    }

    /// Starts with `current`, the state after `number` reports, which are not delivered again. Reports that arrive
    /// before this wait.
    func start(with current: [MirrorReport], after number: Int) {
        change { state in
            let current = current.map { NumberedReport(number: number, report: $0) }
            state.reports = current + state.reports.filter { $0.number > number }
            state.hasStarted = true
            state.lastIncluded = number
        }
    }

    func deliver(_ report: NumberedReport) {
        change { state in
            if report.number <= state.lastIncluded { return }
            state.reports.append(report)
            if state.reports.count > ReportSubscriber.capacity { state.reports.removeFirst() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let needsNotification = state.withLock { state in
            if state.isFinished { return false }
            body(&state)
            guard state.hasStarted, !state.isNotified, !state.reports.isEmpty else { return false }
            state.isNotified = true
            return true
        }
        if needsNotification { notify(self) }
    }

    /// Takes the oldest report; nil if there is none, and then the next report notifies again.
    func take() -> MirrorReport? {
        state.withLock { state in
            guard !state.reports.isEmpty, !state.isFinished else {
                state.isNotified = false
                return nil
            }
            return state.reports.removeFirst().report
        }
    }

    /// Ends the subscription and drops reports that were not taken.
    func cancel() {
        state.withLock { $0.isFinished = true }
        onFinish()
    }

    /// Ends the subscription. Reports that were not taken still can be.
    func finish() { onFinish() }
}

/// All subscribers to the reports of a session.
final class ReportSubscribers: Sendable {
    private struct State {
        var subscribers: [ObjectIdentifier: ReportSubscriber] = [:]
        var additions = 0
        var isFinished = false
    }

    private let state = Lock(State())

    /// Whether no more reports will come.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    var isEmpty: Bool { state.withLock { $0.subscribers.isEmpty } }

    /// The number of subscribers that were ever added.
    var additions: Int { state.withLock { $0.additions } }

    func add(_ subscriber: ReportSubscriber) -> Subscription {
        state.withLock { state in
            state.subscribers[ObjectIdentifier(subscriber)] = subscriber
            state.additions += 1
        }
        return Subscription { [weak self] in
            _ = self?.state.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscriber)) }
            subscriber.cancel()
        }
    }

    func deliver(_ report: NumberedReport) {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.deliver(report) }
    }

    /// Finishes all subscribers.
    func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }
}
