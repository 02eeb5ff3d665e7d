/// What tells a file, and a version of it, from others without reading it.
///
/// Two that are equal mean the same bytes, with two exceptions: before Linux 6.13, and on file systems that keep coarse
/// times, changes within a few milliseconds that leave the size can look the same; and a program that writes through a
/// memory mapping shows only when the kernel notices.
public struct FileIdentity: Sendable, Hashable {
    /// The file system it is on.
    public let device: UInt64

    /// Its number there.
    public let inode: UInt64

    /// How many bytes it says it has.
    public let size: Int64

    /// When its bytes were last changed. Programs can set it.
    public let modified: FileTime

    /// When anything about it was last changed, its names and rights included. Nobody can set it.
    public let changed: FileTime

    /// Whether it is the same file, in whatever version.
    public func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
