import Locking
import LosslessJSON

@testable import SessionMirror

// Events.
extension SavingSimulation {
    /// Whether the event is possible now. Otherwise it would have no effect.
    func isPossible(_ event: SavingEvent) -> Bool {
        switch event {
        case .update, .updateShared, .commit: !isClosed && !isClosing && (event == .commit || !isUpdateLockHeld)
        case .spoil: program == .typed && isPossible(.update)
        case .close: !isClosed && !isClosing
        case .flush: !isClosed && (state.pending != nil || state.activity == .saving)
        case .edit, .editShared, .breakFile, .invalidEdit: file.document != nil
        case .staleSave: beforeSave != nil
        case .repair: file.isInvalid
        case .delete: !file.isMissing
        case .recreate: file.isMissing
        case .holdOpen, .holdOpenShared: !isClosed && heldOpen == nil
        case .fillDisk, .doubtDisk, .breakDisk: !isClosed
        case .leaveOver: !isClosed && !isJobBegun && beforeSave != nil
        case .second: true
        case .begin: isJobDue || !isJobBegun && !wakeups.isEmpty
        case .end: isJobBegun
        }
    }

    mutating func handle(_ event: SavingEvent) {
        count += 1
        switch event {
        case .update: update("mine", to: JSON(count))
        case .updateShared: update("shared", to: JSON("ours\(count)"))
        case .spoil: updateMemory("ratio", to: .null)
        case .commit: request(.commit)
        case .flush: request(.flush)
        case .close: close()
        case .edit: edit("f")
        case .editShared: edit("shared")
        case .staleSave: otherProgramWrites(try! beforeSave!.setting(JSONPointer(["s\(count)"]), to: JSON(count)))
        case .breakFile: otherProgramBreaks(.incomplete(Array(#"{ "n": \#(count), "#.utf8)))
        case .invalidEdit: otherProgramBreaks(.invalid(try! lastGood.setting("/n", to: JSON("mistake \(count)"))))
        case .repair, .recreate: otherProgramWrites(lastGood)
        case .delete: otherProgramBreaks(.missing)
        case .holdOpen: heldOpen = "d\(count)"
        case .holdOpenShared: heldOpen = "shared"
        case .fillDisk: disk = disk == .full ? .good : .full
        case .doubtDisk: disk = disk == .doubtful ? .good : .doubtful
        case .breakDisk: disk = disk == .failing ? .good : .failing
        case .leaveOver: leaveOver("d\(count)")
        case .second: wait(.milliseconds(1_100))
        case .begin:
            if !isJobDue, let wakeup = wakeups.min() { _ = pass(until: wakeup) }
            beginJob()
        case .end: stepJob()
        }
    }

    private mutating func update(_ key: String, to value: JSON) {
        expectedState.latest[key] = value
        updateMemory(key, to: value)
    }

    private mutating func updateMemory(_ key: String, to value: JSON) {
        expectedState.increments += 1
        // The commits on which the update is built are in memory from now on, whatever becomes of them.
        if state.tentativeResult != nil, !state.isTentativeResultPublished {
            expectedState.adopted(commitsIn: state.updateBase.savedTree)
        }
        let snapshot = program.next(state.updateBase, state.updateBase.version.next, setting: key, to: value)
        perform(state.updated(to: snapshot, at: now))
    }

    private mutating func edit(_ key: String) {
        let value = key == "shared" ? JSON("theirs\(count)") : JSON(count)
        otherProgramWrites(try! file.document!.setting(JSONPointer([key]), to: value))
    }

    /// Advances the clock, and handles each wake-up exactly at its time. Runs no jobs.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while pass(until: end) {}
    }

    /// Advances the clock, and runs the jobs.
    mutating func waitWorking(_ duration: Duration) {
        let end = now + duration
        repeat { work() } while pass(until: end)
    }

    /// Runs all due jobs.
    mutating func work() {
        for _ in 1...100 {
            if case .none = job { return }
            beginJob()
            stepJob()
        }
        check(false, "the jobs never end")
    }
}
