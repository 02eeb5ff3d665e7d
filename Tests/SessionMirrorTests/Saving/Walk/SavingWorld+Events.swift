import Locking
import LosslessJSON

@testable import SessionMirror

// What happens.
extension SavingWorld {
    /// Whether it can happen now; if not, it would change nothing.
    func canHappen(_ event: SavingEvent) -> Bool {
        switch event {
        case .update, .updateShared, .commit: !isClosed && !isClosing && (event == .commit || !isTurnTaken)
        case .close: !isClosed && !isClosing
        case .flush: !isClosed && (state.pending != nil || state.work == .saving)
        case .edit, .editShared, .breakFile, .mistake: file.document != nil
        case .staleSave: beforeSave != nil
        case .repair: file.isInvalid
        case .delete: !file.isMissing
        case .recreate: file.isMissing
        case .holdOpen, .holdOpenShared: !isClosed && heldOpen == nil
        case .fillDisk, .doubtDisk, .breakDisk: !isClosed
        case .leaveOver: !isClosed && !isJobBegun && beforeSave != nil
        case .second: true
        case .begin: isJobDue || !isJobBegun && !alarms.isEmpty
        case .end: isJobBegun
        }
    }

    mutating func happen(_ event: SavingEvent) {
        count += 1
        switch event {
        case .update: update("mine", to: JSON(count))
        case .updateShared: update("shared", to: JSON("ours\(count)"))
        case .commit: request(.commit)
        case .flush: request(.flush)
        case .close: close()
        case .edit: edit("f")
        case .editShared: edit("shared")
        case .staleSave: foreignerWrites(try! beforeSave!.setting(JSONPointer(["s\(count)"]), to: JSON(count)))
        case .breakFile: foreignerSpoils(.unfinished(Array(#"{ "n": \#(count), "#.utf8)))
        case .mistake: foreignerSpoils(.mistaken(try! lastGood.setting("/n", to: JSON("mistake \(count)"))))
        case .repair, .recreate: foreignerWrites(lastGood)
        case .delete: foreignerSpoils(.missing)
        case .holdOpen: heldOpen = "d\(count)"
        case .holdOpenShared: heldOpen = "shared"
        case .fillDisk: disk = disk == .full ? .good : .full
        case .doubtDisk: disk = disk == .doubtful ? .good : .doubtful
        case .breakDisk: disk = disk == .failing ? .good : .failing
        case .leaveOver: leaveOver("d\(count)")
        case .second: wait(.milliseconds(1_100))
        case .begin:
            if !isJobDue, let alarm = alarms.min() { _ = pass(until: alarm) }
            beginJob()
        case .end: stepJob()
        }
    }

    private mutating func update(_ key: String, to value: JSON) {
        ledger.increments += 1
        ledger.latest[key] = value
        let edition = program.next(state.edition, state.edition.version.next, setting: key, to: value)
        take(state.updated(to: edition, at: now))
    }

    private mutating func edit(_ key: String) {
        let value = key == "shared" ? JSON("theirs\(count)") : JSON(count)
        foreignerWrites(try! file.document!.setting(JSONPointer([key]), to: value))
    }

    /// Alarms ring, each exactly then; jobs are left to others.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while pass(until: end) {}
    }

    /// The same, with the jobs.
    mutating func waitWorking(_ duration: Duration) {
        let end = now + duration
        repeat { work() } while pass(until: end)
    }

    /// Does what is due.
    mutating func work() {
        for _ in 1...100 {
            if case .none = job { return }
            beginJob()
            stepJob()
        }
        check(false, "it does not come to rest")
    }
}
