/// A moment as file systems keep it.
public struct FileTime: Sendable, Hashable {
    /// Since 1970 began in UTC; negative before.
    public let seconds: Int64

    /// The rest, from 0 to 999,999,999.
    public let nanoseconds: Int32
}

extension FileTime: Comparable {
    /// Whether `a` comes before `b`.
    public static func < (a: FileTime, b: FileTime) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }
}
