internal import LosslessJSON

/// What a look at the file saw.
enum Sight<Root: Codable & Sendable>: Sendable {
    /// A text that can be used, and its value; changed, unless all values are those of the text before.
    case good(JSONDocument, Root, isChanged: Bool)
    /// The text that was there before, byte for byte.
    case same
    /// No file.
    case missing
    /// Something that cannot be used; perhaps because its writer has not finished.
    case refused(Problem, mayBeUnfinished: Bool)
}
