/// The number of a version of a session's value: 1 when it is opened, then counting up.
///
/// It says which of two versions of one session is newer, in this process and nothing more: other processes that mirror
/// the same file count for themselves.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Counted from 1.
    public let number: Int

    static let first = Version(number: 1)

    var next: Version { Version(number: number + 1) }

    /// Whether `a` is the older one.
    public static func < (a: Version, b: Version) -> Bool { a.number < b.number }

    /// The number.
    public var description: String { "\(number)" }
}

/// Who made a version.
public enum Origin: String, Sendable {
    /// What was found, or took the place of a file that was not there, when the session was opened.
    case initial
    /// Somebody else changed the file: a person, another program, another process of this one.
    case external
    /// This process, by `update`.
    case update
}
