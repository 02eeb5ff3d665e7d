/// What tells a file, and a version of it, from others without reading it.
///
/// Two that are equal mean the same bytes, unless somebody is just overwriting the file in place, the times of the file
/// system are coarse, or a program writes through a memory mapping: see ``DurableFiles``.
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
