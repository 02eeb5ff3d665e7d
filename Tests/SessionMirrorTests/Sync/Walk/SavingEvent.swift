import Locking

/// An event between a session and its file.
enum SavingEvent: String, CaseIterable, Sendable {
    // The program.
    case update, updateShared, commit, flush, close
    /// An update to a value that cannot be written, which the next update mends; in random sequences only.
    case spoil
    // Another program that does not use this library.
    case edit, editShared, staleSave, breakFile, invalidEdit, repair, delete, recreate
    // Conditions of the next save: another program still writes to the replaced version, or the disk is full or
    // cannot confirm durability.
    case holdOpen, holdOpenShared, fillDisk, doubtDisk
    // Further conditions, in random sequences only: a disk that fails after the write, and leftovers of a crash.
    case breakDisk, leaveOver
    // Time.
    case second
    // The steps of the due job, if the sequence contains them.
    case begin, end

    /// The events whose sequences are explored exhaustively.
    static let exhaustive = allCases.filter { $0 != .spoil && $0 != .breakDisk && $0 != .leaveOver }
    static let withoutJobSteps = exhaustive.filter { $0 != .begin && $0 != .end }
}

/// When jobs run.
enum SavingPace: String, CaseIterable, Sendable {
    /// Jobs run immediately.
    case prompt
    /// Jobs run immediately, and pending changes are saved before the next event.
    case calm
    /// Jobs begin immediately, and end after the next event.
    case overtaken
    /// Jobs begin and end only with the events `begin` and `end`.
    case slow

    /// The events that sequences of this pace contain.
    var events: [SavingEvent] { self == .slow ? SavingEvent.exhaustive : SavingEvent.withoutJobSteps }
}

extension SavingSimulation {
    mutating func handle(_ event: SavingEvent, at pace: SavingPace) {
        switch pace {
        case .prompt:
            if event == .second { return waitWorking(.milliseconds(1_100)) }
            handle(event)
            work()
        case .calm:
            if event != .second { handle(event) }
            waitWorking(.milliseconds(event == .second ? 1_100 : 300))
        case .overtaken:
            handle(event)
            stepJob()
            beginJob()
        case .slow: handle(event)
        }
    }

    /// Handles several events, and skips impossible ones.
    mutating func handle(_ events: SavingEvent..., at pace: SavingPace) {
        for event in events where isPossible(event) { handle(event, at: pace) }
    }
}
