/// What can happen between a session and its file.
enum SavingEvent: String, CaseIterable, Sendable {
    // The program.
    case update, updateShared, commit, flush, close
    // A foreigner, who knows nothing of the session.
    case edit, editShared, staleSave, breakFile, mistake, repair, delete, recreate
    // What the next save will meet: somebody who still writes to the version that it replaces, or a disk that is full or
    // cannot say whether it has the bytes.
    case holdOpen, holdOpenShared, fillDisk, doubtDisk
    // The same, in random orders only: a disk that fails when it has the bytes, and what a crash has left.
    case breakDisk, leaveOver
    // Time.
    case second
    // The steps of the job that is due, where the walk takes them itself.
    case begin, end

    /// Those of which every order is walked.
    static let walked = allCases.filter { $0 != .breakDisk && $0 != .leaveOver }
    static let outside = walked.filter { $0 != .begin && $0 != .end }
}
