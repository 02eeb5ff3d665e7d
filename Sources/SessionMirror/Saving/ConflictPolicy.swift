public import LosslessJSON

/// Who is right when the program and somebody else have changed the same value of the file in different ways.
///
/// Whoever gives way, the session says so: a ``Problem`` with the three values.
public enum ConflictPolicy: Sendable {
    /// The file; the default.
    case fileWins
    /// The program.
    case memoryWins
    /// What the closure gives for the conflict, in which the program's side is called ours and the file's theirs; nil
    /// removes the value. The path is that of the whole value where both sides together make something that the session
    /// cannot use; if what is given then cannot be used either, the file is right.
    case custom(@Sendable (JSONConflict) -> JSON?)
}
