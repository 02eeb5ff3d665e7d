internal import LosslessJSON

/// What a look at the file saw.
enum Sight: Sendable {
    /// A text that can be used, and what it makes of what is in memory.
    case good(Meeting.Outcome)
    /// The text that was there before, byte for byte.
    case same
    /// No file.
    case missing
    /// Something that cannot be used.
    case refused(Problem, Outlook)
    /// A text that can be used, but not put together with what is in memory.
    case held(Problem)

    /// What may become of something that cannot be used.
    enum Outlook: Sendable {
        /// It stays so until somebody mends it.
        case final
        /// Its writer may not have finished.
        case unfinished
        /// It may pass without anything happening to the file: the system lacks something, or somebody keeps it.
        case passing
    }
}
