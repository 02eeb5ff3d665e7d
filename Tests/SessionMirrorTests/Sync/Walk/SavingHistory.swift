import LosslessJSON

@testable import SessionMirror

/// The published snapshots and reports of a session, checked as they arrive.
struct SavingHistory {
    private(set) var newest: AnySnapshotStorage?
    private(set) var status: MirrorStatus?
    private(set) var reports: [MirrorReport] = []
    /// Conflicts, restored and reverted values, in order.
    private(set) var conflicts: [SessionProblem] = []
    private(set) var violations: [String] = []
    private var contentProblem: SessionProblem?
    private var savingProblem: SessionProblem?
    private var blocker: SessionProblem?

    mutating func check(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append(violation()) }
    }

    mutating func published(_ snapshot: AnySnapshotStorage) {
        if let newest {
            check(snapshot.version > newest.version, "version \(snapshot.version) came after \(newest.version)")
            check(snapshot.savedTree != newest.savedTree, "version \(snapshot.version) changed nothing")
        }
        newest = snapshot
    }

    mutating func reported(_ report: MirrorReport) {
        reports.append(report)
        switch report {
        case .problem(let problem) where problem.code.values != nil: conflicts.append(problem)
        case .problem(let problem) where problem.code == .unsaved:
            check(problem != savingProblem, "reported again: \(problem.message)")
            savingProblem = problem
        case .problem(let problem) where problem.code == .unwritable:
            check(problem != blocker, "reported again: \(problem.message)")
            blocker = problem
        case .problem(let problem):
            check(problem != contentProblem, "reported again: \(problem.message)")
            contentProblem = problem
        case .recovered(let problem):
            if problem == contentProblem {
                contentProblem = nil
            } else if problem == blocker {
                blocker = nil
            } else {
                check(problem == savingProblem, "recovered from a problem that was not current: \(problem.message)")
                savingProblem = nil
            }
        case .status(let status):
            check(status != self.status, "a status was reported again")
            check(status.content.problem == contentProblem, "the status and the problems of content differ")
            // While saving is blocked, an earlier failure is neither retried nor recovered from.
            if status.saving != .blocked {
                check(status.saving.problem == savingProblem, "the status and the problems of saving differ")
            }
            self.status = status
        }
    }
}

extension AnySnapshotStorage {
    /// The tree, or an object with nothing but the version if the value cannot be written.
    var savedTree: JSON { (try? tree()) ?? ["unwritable": JSON("\(version)")] }
}

extension JSON {
    /// Whether this stands for a value that cannot be written.
    var isUnwritable: Bool { self["unwritable"] != nil }
}
