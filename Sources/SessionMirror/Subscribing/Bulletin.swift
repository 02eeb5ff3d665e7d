internal import Locking

/// Brings what is new to those who listen: one after the other for each session, on a worker, never under a lock.
///
/// Whoever publishes only posts; the newest edition is taken when the worker gets to it.
final class Bulletin: Sendable {
    private struct State {
        var reports: [NumberedReport] = []
        var reportCount = 0
        var isUnderWay = false
        var isPostedAgain = false
        var isEnding = false
    }

    let subscriptions = Subscriptions()
    let listeners = Listeners()
    private let published: any Newsstand
    private let state = Lock(State())

    init(_ published: any Newsstand) { self.published = published }

    /// A report to be brought after the edition that is published with it.
    func add(_ report: MirrorReport) {
        state.withLock { state in
            state.reportCount += 1
            state.reports.append(NumberedReport(number: state.reportCount, report: report))
        }
    }

    private var isUnheard: Bool { subscriptions.isEmpty && listeners.isEmpty }

    /// How many reports were added.
    var reportCount: Int { state.withLock { $0.reportCount } }

    /// There is something new. On a worker it is brought at once.
    func post(on workers: Workers = .shared) {
        let count = reportCount
        if isUnheard {
            // Whoever comes after this begins with what stands, which these reports have led to.
            return state.withLock { $0.reports.removeAll { $0.number <= count } }
        }
        let begins = state.withLock { state in
            state.isPostedAgain = state.isUnderWay
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if begins { workers.runHereOrSoon { self.bring() } }
    }

    private func bring() {
        repeat {
            let reports = state.withLock { state in
                state.isPostedAgain = false
                defer { state.reports = [] }
                return state.reports
            }
            subscriptions.bring(published.newest)
            for report in reports { listeners.tell(report) }
        } while goesOn()
        if state.withLock({ $0.isEnding }) { finish() }
    }

    /// Whether something was posted meanwhile; otherwise the next post begins anew.
    private func goesOn() -> Bool {
        state.withLock { state in
            state.isUnderWay = state.isPostedAgain
            return state.isPostedAgain
        }
    }

    /// Brings what there is, then nothing more.
    func end(on workers: Workers = .shared) {
        if isUnheard { return finish() }
        state.withLock { $0.isEnding = true }
        post(on: workers)
    }

    private func finish() {
        subscriptions.finish()
        listeners.finish()
    }
}
