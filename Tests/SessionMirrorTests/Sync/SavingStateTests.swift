import LosslessJSON
import Testing

@testable import SessionMirror

/// Regression tests of failures that the exploration of all sequences found.
@Suite("Decisions about saving") struct SavingStateTests {
    @Test("A save that fails to create the file is reported once, and so is its recovery")
    func failureOfCreating() {
        var simulation = SavingSimulation(isMissing: true)
        simulation.handle(.fillDisk, .update, .commit, .commit, at: .prompt)
        #expect(simulation.history.unsaved == ["full"])
        simulation.handle(.fillDisk, .second, .second, at: .prompt)
        #expect(simulation.history.unsaved == ["full", "recovered: full"])
        #expect(simulation.history.status == MirrorStatus(watching: .live, content: .good, saving: .clean))
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A failed save does not count as recovered while the file is invalid")
    func failureBesideBrokenFile() {
        var simulation = SavingSimulation()
        simulation.handle(.fillDisk, .update, .breakFile, .second, at: .calm)
        #expect(simulation.history.status?.saving == .blocked)
        #expect(simulation.history.unsaved == ["full"])
        simulation.handle(.repair, .second, at: .calm)
        #expect(simulation.history.unsaved == ["full"])
        simulation.handle(.fillDisk, .second, .second, .second, at: .calm)
        #expect(simulation.history.unsaved == ["full", "recovered: full"])
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("Consecutive saves of unknown durability are reported once, with no clean status in between")
    func doubts() {
        var simulation = SavingSimulation()
        simulation.handle(.doubtDisk, .commit, .commit, at: .prompt)
        #expect(simulation.history.unsaved == ["in doubt"])
        #expect(simulation.history.reports.filter { $0.status != nil }.count == 1)
        #expect(simulation.memory["n"] == 2)
        simulation.handle(.doubtDisk, .second, .second, at: .prompt)
        #expect(simulation.history.unsaved == ["in doubt", "recovered: in doubt"])
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A stale write of a text from before the file's deletion is restored") func staleAfterDeletion() {
        var simulation = SavingSimulation()
        simulation.handle(.delete, .update, at: .calm)
        #expect(simulation.file.document?.value["n"] == 1)
        simulation.handle(.staleSave, at: .prompt)
        #expect(simulation.history.conflicts.map(\.code.name) == ["restored", "restored"])
        #expect(simulation.file.document?.value["n"] == 1)
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A conflict that memory wins is reported even if the program changes the value during the save")
    func overruled() {
        var simulation = SavingSimulation(policy: .memoryWins)
        simulation.handle(.updateShared, at: .overtaken)
        simulation.handle(.flush, at: .slow)
        simulation.handle(.editShared, at: .overtaken)
        simulation.handle(.updateShared, at: .calm)
        #expect(simulation.history.conflicts.map(\.code.name) == ["conflict"])
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A file that a save creates only for a displaced edit exists despite unknown durability")
    func doubtfulCreation() {
        var simulation = SavingSimulation(policy: .memoryWins, program: .typed)
        for (event, pace) in [
            (SavingEvent.updateShared, SavingPace.slow), (.holdOpenShared, .overtaken), (.delete, .overtaken),
            (.breakDisk, .prompt), (.recreate, .slow), (.commit, .overtaken), (.breakDisk, .overtaken),
            (.flush, .overtaken), (.delete, .overtaken), (.flush, .slow), (.doubtDisk, .overtaken),
            (.holdOpenShared, .calm),
        ] where simulation.isPossible(event) {
            simulation.handle(event, at: pace)
        }
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("Releasing a session whose save is blocked makes its pending change urgent") func released() {
        var simulation = SavingSimulation()
        simulation.handle(.breakFile, .second, .update, at: .calm)
        #expect(simulation.history.status?.saving == .blocked)
        #expect(simulation.state.pending?.isUrgent == false)
        var state = simulation.state
        #expect(state.released(at: simulation.now).isEmpty)
        #expect(state.pending?.isUrgent == true)
    }

    @Test("An update during a save or load that cannot write the value before it is saved", arguments: [false, true])
    func mendedMeanwhile(isLoad: Bool) {
        var simulation = SavingSimulation(program: .typed)
        simulation.handle(.spoil, at: .slow)
        if isLoad { simulation.handle(.edit, .begin, at: .slow) } else { simulation.handle(.second, .begin, at: .slow) }
        #expect(simulation.isJobBegun)
        simulation.handle(.update, .end, at: .slow)
        #expect(simulation.history.status?.saving == .pending)
        simulation.handle(.second, at: .prompt)
        #expect(simulation.file.document?.value["n"] == 2)
        #expect(simulation.history.problems(.unwritable).isEmpty)
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A commit whose bytes were not confirmed does not count as written") func unconfirmed() {
        var simulation = SavingSimulation()
        simulation.handle(.holdOpen, .commit, .commit, .breakFile, at: .overtaken)
        simulation.stepJob()
        #expect(simulation.memory["n"] == 1)
        #expect(simulation.expectedState.waiting.count == 1)
        #expect(simulation.violationsWhenSettled().isEmpty)
        simulation.settle()
        #expect(simulation.file.document?.value["n"] == 2)
    }

    @Test("A commit that joins a running save keeps waiting when the file is removed") func removedMeanwhile() {
        var simulation = SavingSimulation()
        simulation.handle(.holdOpen, .commit, .commit, .delete, at: .overtaken)
        simulation.stepJob()
        #expect(simulation.expectedState.waiting.count == 1)
        simulation.settle()
        #expect(simulation.expectedState.waiting.isEmpty)
        #expect(simulation.file.document?.value["n"] == 2)
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A value that loses a conflict in a save and changes again meanwhile is reported once") func lostOnce() {
        var simulation = SavingSimulation(isMissing: true)
        simulation.handle(.update, .flush, .recreate, .update, at: .overtaken)
        simulation.settle()
        let lost = simulation.history.conflicts.filter { $0.path == "/n" }.map(\.code.values)
        #expect(lost == [JSONConflict(path: "/n", base: 1, ours: 2, theirs: 0)])
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A conflict that a save finds while the value becomes unwritable is reported, and again with the next change")
    func lostWhileUnwritable() {
        var simulation = SavingSimulation(program: .typed)
        simulation.handle(.doubtDisk, .updateShared, at: .calm)
        simulation.handle(.spoil, at: .overtaken)
        simulation.handle(.staleSave, .update, at: .calm)
        simulation.handle(.begin, .spoil, at: .slow)
        simulation.settle()
        let lost = simulation.history.conflicts.filter { $0.path == "/n" }.map(\.code.values)
        let first = JSONConflict(path: "/n", base: 1, ours: 3, theirs: 0)
        #expect(lost == [first, JSONConflict(path: "/n", base: 3, ours: 5, theirs: 0)])
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A save or load of an earlier value keeps the warning about a newer one", arguments: [false, true])
    func newerMismatch(isLoad: Bool) {
        var simulation = SavingSimulation()
        if isLoad {
            simulation.handle(.updateShared, .edit, .begin, at: .slow)
        } else {
            simulation.handle(.update, .flush, .begin, .updateShared, at: .slow)
        }
        let found = simulation.memory["shared"]!
        let warning = SessionProblem(.mismatch(found: found), in: "file", at: "/shared", "must be a number")
        _ = simulation.state.mismatchFound(warning)
        while simulation.isJobBegun { simulation.stepJob() }
        #expect(simulation.file.document?.value["shared"] == "a")
        #expect(simulation.state.status.warnings == [warning])
        simulation.handle(.flush, at: .prompt)
        #expect(simulation.file.document?.value["shared"] == found)
        #expect(simulation.state.status.warnings == [warning])
        simulation.handle(.updateShared, at: .calm)
        #expect(simulation.state.status.warnings.isEmpty)
    }

    @Test("A commit that joins a running save applies to the newest value in memory") func commitOnNewest() {
        var simulation = SavingSimulation()
        simulation.handle(.update, .holdOpen, at: .slow)
        simulation.handle(.second, .begin, .update, .commit, at: .slow)
        #expect(simulation.memory["n"] == 2)
        simulation.work()
        #expect(simulation.file.document?.value["n"] == 3)
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("A file that is missing for a moment is not created, even if it was never valid") func neverGood() {
        var simulation = SavingSimulation(isMissing: true)
        simulation.handle(.recreate, at: .slow)
        simulation.handle(.invalidEdit, at: .prompt)
        simulation.handle(.commit, at: .slow)
        simulation.handle(.delete, at: .prompt)
        #expect(simulation.file.isMissing)
        simulation.handle(.second, at: .prompt)
        #expect(simulation.file.document?.value["n"] == 1)
        #expect(simulation.violationsWhenSettled().isEmpty)
    }

    @Test("An edit that a save merged is written again if the file is removed before memory has the edit")
    func removedBeforeMemory() {
        var simulation = SavingSimulation()
        simulation.handle(.update, .flush, .begin, at: .slow)
        simulation.handle(.edit, at: .slow)
        simulation.handle(.end, .update, .end, .delete, at: .slow)
        #expect(simulation.memory["f"] == "f")
        simulation.settle()
        #expect(simulation.file.document?.value["f"] == 4)
        #expect(simulation.memory["f"] == 4)
        #expect(simulation.violationsWhenSettled().isEmpty)
    }
}

extension SavingHistory {
    fileprivate func problems(_ code: SessionProblem.Code) -> [SessionProblem] {
        reports.compactMap { if case .problem(let problem) = $0, problem.code == code { problem } else { nil } }
    }

    /// The reports of failed saves and of recoveries from them.
    fileprivate var unsaved: [String] {
        reports.compactMap { report in
            switch report {
            case .problem(let problem) where problem.code == .unsaved: problem.message
            case .recovered(let problem) where problem.code == .unsaved: "recovered: " + problem.message
            default: nil
            }
        }
    }
}
