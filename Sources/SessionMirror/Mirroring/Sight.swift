internal import LosslessJSON

/// A value that was read and is good: becomes an edition when its version is known.
typealias Draft = @Sendable (Version, Origin) -> AnyEdition

/// What a look at the file saw.
enum Sight: Sendable {
    /// A text that can be used, and what becomes an edition; changed, unless all values are those of the text before.
    case good(JSONDocument, Draft, isChanged: Bool)
    /// The text that was there before, byte for byte.
    case same
    /// No file.
    case missing
    /// Something that cannot be used.
    case refused(Problem, Outlook)

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
