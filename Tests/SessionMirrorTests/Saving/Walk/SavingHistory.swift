import LosslessJSON

@testable import SessionMirror

/// What readers and listeners saw of a session, checked while it comes.
struct SavingHistory {
    private(set) var newest: AnyEdition?
    private(set) var status: MirrorStatus?
    private(set) var reports: [MirrorReport] = []
    /// Values that had to give way or were put back, in order.
    private(set) var losses: [Problem] = []
    private(set) var complaints: [String] = []
    private var contentProblem: Problem?
    private var savingProblem: Problem?

    mutating func check(_ holds: Bool, _ complaint: @autoclosure () -> String) {
        if !holds { complaints.append(complaint()) }
    }

    mutating func published(_ edition: AnyEdition) {
        if let newest {
            check(edition.version > newest.version, "version \(edition.version) came after \(newest.version)")
            check(edition.savedTree != newest.savedTree, "version \(edition.version) changed nothing")
        }
        newest = edition
    }

    mutating func reported(_ report: MirrorReport) {
        reports.append(report)
        switch report {
        case .problem(let problem) where problem.values != nil: losses.append(problem)
        case .problem(let problem) where problem.code == .unsaved:
            check(problem != savingProblem, "told again: \(problem.message)")
            savingProblem = problem
        case .problem(let problem):
            check(problem != contentProblem, "told again: \(problem.message)")
            contentProblem = problem
        case .recovered(let problem):
            if problem == contentProblem {
                contentProblem = nil
            } else {
                check(problem == savingProblem, "recovered from what did not stand: \(problem.message)")
                savingProblem = nil
            }
        case .status(let status):
            check(status != self.status, "a status was told again")
            check(status.content.problem == contentProblem, "the status and the problems of content differ")
            // While changes are held, a save that did not work before is neither tried again nor over.
            if status.saving != .held {
                check(status.saving.problem == savingProblem, "the status and the problems of saving differ")
            }
            self.status = status
        }
    }
}

extension AnyEdition {
    /// Its values, which have a form in JSON in these tests.
    var savedTree: JSON { try! tree() }
}
