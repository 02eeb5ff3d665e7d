import LosslessJSON
import Testing

@testable import SessionMirror

/// What the walk of all orders has found once, one by one.
@Suite("What is decided of saving") struct SavingStateTests {
    @Test("a save that fails is told of once, and that one works again once, also where that creates the file")
    func failureOfCreating() {
        var world = SavingWorld(isMissing: true)
        world.happen(.fillDisk, .update, .commit, .commit, at: .prompt)
        #expect(world.history.unsaved == ["full"])
        world.happen(.fillDisk, .second, .second, at: .prompt)
        #expect(world.history.unsaved == ["full", "over: full"])
        #expect(world.history.status == MirrorStatus(watching: .live, content: .good, saving: .clean))
        #expect(world.verdict().isEmpty)
    }

    @Test("a save that fails is not over because the file cannot be used meanwhile")
    func failureBesideBrokenFile() {
        var world = SavingWorld()
        world.happen(.fillDisk, .update, .breakFile, .second, at: .calm)
        #expect(world.history.status?.saving == .held)
        #expect(world.history.unsaved == ["full"])
        world.happen(.repair, .second, at: .calm)
        #expect(world.history.unsaved == ["full"])
        world.happen(.fillDisk, .second, .second, .second, at: .calm)
        #expect(world.history.unsaved == ["full", "over: full"])
        #expect(world.verdict().isEmpty)
    }

    @Test("saves that are in doubt one after the other are told of once, and nothing is clean in between")
    func doubts() {
        var world = SavingWorld()
        world.happen(.doubtDisk, .commit, .commit, at: .prompt)
        #expect(world.history.unsaved == ["in doubt"])
        #expect(world.history.reports.filter { $0.status != nil }.count == 1)
        #expect(world.memory["n"] == 2)
        world.happen(.doubtDisk, .second, .second, at: .prompt)
        #expect(world.history.unsaved == ["in doubt", "over: in doubt"])
        #expect(world.verdict().isEmpty)
    }

    @Test("who had read a file before it was deleted cannot take back what was saved since") func staleAfterDeletion() {
        var world = SavingWorld()
        world.happen(.delete, .update, at: .calm)
        #expect(world.file.document?.value["n"] == 1)
        world.happen(.staleSave, at: .prompt)
        #expect(world.history.losses.map(\.code) == [.restored, .restored])
        #expect(world.file.document?.value["n"] == 1)
        #expect(world.verdict().isEmpty)
    }

    @Test("what the program overrules in a save is told, also where it goes on meanwhile") func overruled() {
        var world = SavingWorld(policy: .memoryWins)
        world.happen(.updateShared, at: .overtaken)
        world.happen(.flush, at: .slow)
        world.happen(.editShared, at: .overtaken)
        world.happen(.updateShared, at: .calm)
        #expect(world.history.losses.map(\.code) == [.conflict])
        #expect(world.verdict().isEmpty)
    }

    @Test("a file that only an edit of others is put into is there, also where the disk is in doubt")
    func doubtfulCreation() {
        var world = SavingWorld(policy: .memoryWins, program: .typed)
        for (event, pace) in [
            (SavingEvent.updateShared, SavingPace.slow), (.holdOpenShared, .overtaken), (.delete, .overtaken),
            (.breakDisk, .prompt), (.recreate, .slow), (.commit, .overtaken), (.breakDisk, .overtaken),
            (.flush, .overtaken), (.delete, .overtaken), (.flush, .slow), (.doubtDisk, .overtaken),
            (.holdOpenShared, .calm),
        ] where world.canHappen(event) {
            world.happen(event, at: pace)
        }
        #expect(world.verdict().isEmpty)
    }

    @Test("what is pending when a session is released is saved as soon as the file is mended") func released() {
        var world = SavingWorld()
        world.happen(.breakFile, .second, .update, at: .calm)
        #expect(world.history.status?.saving == .held)
        #expect(world.state.pending?.isUrgent == false)
        var state = world.state
        #expect(state.released(at: world.now).isEmpty)
        #expect(state.pending?.isUrgent == true)
    }

    @Test("a commit whose bytes were not confirmed is not taken for one that is in the file") func unconfirmed() {
        var world = SavingWorld()
        world.happen(.holdOpen, .commit, .commit, .breakFile, at: .overtaken)
        world.stepJob()
        #expect(world.memory["n"] == 1)
        #expect(world.ledger.waiting.count == 1)
        #expect(world.verdict().isEmpty)
        world.comeToRest()
        #expect(world.file.document?.value["n"] == 2)
    }

    @Test("who came while a save was on its way goes on waiting when the file is removed") func removedMeanwhile() {
        var world = SavingWorld()
        world.happen(.holdOpen, .commit, .commit, .delete, at: .overtaken)
        world.stepJob()
        #expect(world.ledger.waiting.count == 1)
        world.comeToRest()
        #expect(world.ledger.waiting.isEmpty)
        #expect(world.file.document?.value["n"] == 2)
        #expect(world.verdict().isEmpty)
    }

    @Test("a value that lost in a save and was changed again meanwhile is told of once") func lostOnce() {
        var world = SavingWorld(isMissing: true)
        world.happen(.update, .flush, .recreate, .update, at: .overtaken)
        world.comeToRest()
        let lost = world.history.losses.filter { $0.path == "/n" }.map(\.values)
        #expect(lost == [JSONConflict(path: "/n", base: 1, ours: 2, theirs: 0)])
        #expect(world.verdict().isEmpty)
    }

    @Test("a commit that joins a save counts on what the program has changed since that began") func commitOnNewest() {
        var world = SavingWorld()
        world.happen(.update, .holdOpen, at: .slow)
        world.happen(.second, .begin, .update, .commit, at: .slow)
        #expect(world.memory["n"] == 2)
        world.work()
        #expect(world.file.document?.value["n"] == 3)
        #expect(world.verdict().isEmpty)
    }

    @Test("a file that is gone for a moment is not created, also where it was never good") func neverGood() {
        var world = SavingWorld(isMissing: true)
        world.happen(.recreate, at: .slow)
        world.happen(.mistake, at: .prompt)
        world.happen(.commit, at: .slow)
        world.happen(.delete, at: .prompt)
        #expect(world.file.isMissing)
        world.happen(.second, at: .prompt)
        #expect(world.file.document?.value["n"] == 1)
        #expect(world.verdict().isEmpty)
    }

    @Test("what a save has merged into a file is in it again when it is removed before memory has it")
    func removedBeforeMemory() {
        var world = SavingWorld()
        world.happen(.update, .flush, .begin, at: .slow)
        world.happen(.edit, at: .slow)
        world.happen(.end, .update, .end, .delete, at: .slow)
        #expect(world.memory["f"] == "f")
        world.comeToRest()
        #expect(world.file.document?.value["f"] == 4)
        #expect(world.memory["f"] == 4)
        #expect(world.verdict().isEmpty)
    }
}

extension SavingHistory {
    /// What was told of saves that do not work.
    fileprivate var unsaved: [String] {
        reports.compactMap { report in
            switch report {
            case .problem(let problem) where problem.code == .unsaved: problem.message
            case .recovered(let problem) where problem.code == .unsaved: "over: " + problem.message
            default: nil
            }
        }
    }
}

extension MirrorReport {
    fileprivate var status: MirrorStatus? {
        if case .status(let status) = self { status } else { nil }
    }
}
