/// An event between a session and its file.
enum SavingEvent: String, CaseIterable, Sendable {
    // The program.
    case update, updateShared, commit, flush, close
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
    static let exhaustive = allCases.filter { $0 != .breakDisk && $0 != .leaveOver }
    static let withoutJobSteps = exhaustive.filter { $0 != .begin && $0 != .end }
}
