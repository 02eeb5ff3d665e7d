/// What can happen between a session and its file.
enum SavingEvent: String, CaseIterable, Sendable {
    // The program.
    case update, updateShared, commit, flush, close
    // A foreigner, who knows nothing of the session.
    case edit, editShared, staleSave, breakFile, mistake, repair, delete, recreate
    // What the next save will meet: somebody who still writes to the version that it replaces, or a disk that is full or
    // cannot say whether it has the bytes.
    case holdOpen, holdOpenShared, fillDisk, doubtDisk
    // Time.
    case second
    // The steps of the job that is due, where the walk takes them itself.
    case begin, end

    static let outside = allCases.filter { $0 != .begin && $0 != .end }
}
