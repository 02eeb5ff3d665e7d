internal import Glibc
internal import Locking

/// Writes problems without an observer to standard error, once each.
///
/// A program begins to observe a moment after it has opened its session, and an observer begins with the current
/// problems. So a problem is written a second after it was found, when the session is closed, or when the program
/// exits, whichever comes first.
final class UnobservedProblemWriter: Sendable {
    private struct State {
        /// The problems to be written, with the number of subscribers that there had been.
        var waiting: [(problem: SessionProblem, earlierSubscribers: Int)] = []
        /// The problems that were written and may end.
        var written: [SessionProblem] = []
        var isScheduled = false
    }

    private static let delay = Duration.seconds(1)
    /// The most problems of one session that wait, or whose end is written.
    private static let limit = 100

    private let state = Lock(State())
    private let subscribers: ReportSubscribers

    /// - Parameter subscribers: Those who observe the problems.
    init(_ subscribers: ReportSubscribers) { self.subscribers = subscribers }

    /// Adds a report that no subscriber received.
    func add(_ report: MirrorReport) {
        switch report {
        case .status: break
        case .recovered(let problem): ended(problem)
        case .problem(let problem):
            let earlierSubscribers = subscribers.additions
            let mustSchedule = state.withLock { state in
                if state.waiting.count < Self.limit { state.waiting.append((problem, earlierSubscribers)) }
                defer { state.isScheduled = true }
                return !state.isScheduled
            }
            if mustSchedule { schedule() }
        }
    }

    private func schedule() {
        ExitSaver.shared.track(self)
        ThreadPool.shared.run(at: .now + Self.delay) { [weak self] in self?.flush() }
    }

    /// Forgets a problem that was written otherwise.
    func discard(_ problem: SessionProblem) {
        state.withLock { $0.waiting.removeAll { $0.problem.readsLike(problem) } }
    }

    private func ended(_ problem: SessionProblem) {
        let wasWritten = state.withLock { state in
            state.waiting.removeAll { $0.problem.readsLike(problem) }
            let index = state.written.firstIndex { $0.readsLike(problem) }
            if let index { state.written.remove(at: index) }
            return index != nil
        }
        if wasWritten { ThreadPool.shared.run { Self.write("\(MirrorReport.recovered(problem))\n") } }
    }

    /// Writes the waiting problems, except those that a later subscriber began with.
    func flush() {
        let additions = subscribers.additions
        let problems = state.withLock { state in
            defer { (state.waiting, state.isScheduled) = ([], false) }
            let problems = state.waiting.filter { $0.earlierSubscribers == additions || !$0.problem.isCurrent }
                .map(\.problem)
            state.written = Array((state.written + problems.filter(\.isCurrent)).suffix(Self.limit))
            return problems
        }
        if problems.isEmpty { return }
        Self.write(problems.map { $0.fullDescription + "\n" }.joined())
    }

    private static func write(_ text: String) {
        _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension SessionProblem {
    /// Whether the problem lasts until it is solved, so that a later observer begins with it.
    fileprivate var isCurrent: Bool {
        switch code {
        case .conflict, .restored, .reverted, .rejectedAssignment, .stillOpen: false
        default: true
        }
    }
}
