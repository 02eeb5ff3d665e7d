internal import Locking

/// The status of a session without a file, which only tests change.
final class MemoryStatus: Sendable {
    /// Stands for the file in problems that a simulated edit causes.
    static let fileName = "memory"

    private let state = Lock(MirrorStatus(watching: .notWatching, content: .good))
    private let dispatcher: ChangeDispatcher

    init(_ dispatcher: ChangeDispatcher) { self.dispatcher = dispatcher }

    var reportSubscribers: ReportSubscribers { dispatcher.reportSubscribers }

    var status: MirrorStatus { state.withLock { $0 } }

    /// The current problems and status, and the number of the last report they include.
    var currentReports: (reports: [MirrorReport], number: Int) {
        state.withLock { ($0.problems.map(MirrorReport.problem) + [.status($0)], dispatcher.reportCount) }
    }

    /// Adds a problem to the status and reports it.
    func add(_ problem: SessionProblem) {
        change { status in
            switch problem.code {
            case .syntax, .value, .unreadable, .notAFile, .tooLarge, .unstable: status.content = .invalid(problem)
            case .unsaved, .unwritable, .unmerged: status.saving = .failing(problem)
            case .unknownKey, .duplicateKey, .mismatch: status.warnings.append(problem)
            // These have no end, and no place in the status.
            case .conflict, .restored, .reverted, .rejectedAssignment, .stillOpen: return [.problem(problem)]
            }
            return [.problem(problem), .status(status)]
        }
    }

    /// Adds a warning that the status may have already.
    func addOnce(_ warning: SessionProblem) {
        change { status in
            if status.warnings.contains(where: { $0.readsLike(warning) }) { return [] }
            status.warnings.append(warning)
            return [.problem(warning), .status(status)]
        }
    }

    /// Ends all problems and reports that.
    func recover() {
        change { status in
            let problems = status.problems
            if problems.isEmpty { return [] }
            (status.content, status.saving, status.warnings) = (.good, .clean, [])
            return problems.map { .recovered($0) } + [.status(status)]
        }
    }

    /// Ends the problem of the content and reports that.
    func recoverContent() {
        change { status in
            guard let problem = status.content.problem else { return [] }
            status.content = .good
            return [.recovered(problem), .status(status)]
        }
    }

    private func change(_ body: (inout MirrorStatus) -> [MirrorReport]) {
        state.withLock { status in
            for report in body(&status) { dispatcher.add(report) }
        }
        dispatcher.post()
    }
}

extension MirrorStatus {
    /// The problems that the status has.
    var problems: [SessionProblem] { [content.problem, saving.problem].compactMap(\.self) + warnings }
}
