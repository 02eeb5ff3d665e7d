/// The contents of a file, and the version they belong to.
public struct FileContents: Sendable {
    /// All bytes of the file.
    public let bytes: [UInt8]

    /// The identity of the version; for unstable contents, the identity after the last attempt.
    public let identity: FileIdentity

    /// The permission bits, such as `0o644`.
    public let mode: UInt32

    /// Whether the bytes are one version: the status was the same before and after the read, or two consecutive reads
    /// returned the same bytes. If false, the bytes may mix two versions.
    public let isStable: Bool
}

extension [UInt8] {
    /// Whether one of two arrays is a copy of the other and neither has changed since.
    func hasSameStorage(as other: [UInt8]) -> Bool {
        withUnsafeBytes { mine in other.withUnsafeBytes { mine.baseAddress == $0.baseAddress && mine.count == $0.count }
        }
    }
}

/// Identifies a file, and a version of it, without reading the contents.
///
/// Equal identities mean equal bytes, unless a program is overwriting the file in place, the file system has coarse
/// timestamps, or a program writes through a memory mapping: see ``DurableFiles``.
public struct FileIdentity: Sendable, Hashable {
    /// The device of the file system.
    public let device: UInt64

    /// The inode number of the file.
    public let inode: UInt64

    /// The size in bytes.
    public let size: Int64

    /// The modification time (mtime). Programs can set it.
    public let modified: FileTime

    /// The status change time (ctime) of contents, links, permissions and other metadata. Programs cannot set it.
    public let changed: FileTime

    /// Returns whether both identify the same file, in whatever version.
    public func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// A timestamp of a file.
public struct FileTime: Sendable, Hashable {
    /// Seconds since 1970-01-01 00:00 UTC; negative before.
    public let seconds: Int64

    /// The fraction of a second, from 0 to 999,999,999.
    public let nanoseconds: Int32
}

extension FileTime: Comparable {
    /// Returns whether `a` is earlier than `b`.
    public static func < (a: FileTime, b: FileTime) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }
}

extension FileTime {
    /// Returns the difference in microseconds, or the largest `Int` on overflow: a file can have any timestamp.
    package func microseconds(since other: FileTime) -> Int {
        let seconds = Int(seconds &- other.seconds)
        let (result, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return isBeyond ? .max : result &+ Int(nanoseconds - other.nanoseconds) / 1_000
    }

    package func adding(microseconds: Int) -> FileTime {
        let sum = Int(nanoseconds) + microseconds % 1_000_000 * 1_000
        return FileTime(
            seconds: seconds + Int64(microseconds / 1_000_000 + sum / 1_000_000_000),
            nanoseconds: Int32(sum % 1_000_000_000))
    }
}
