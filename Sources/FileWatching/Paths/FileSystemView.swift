/// What a walk along a path sees of the file system.
///
/// The real one watches a directory before it looks into it, so that no change can slip between.
protocol FileSystemView {
    /// The directory that every path begins in.
    mutating func root() -> Directory

    /// What is called `name` in `directory`; asked once for every component, in the order of the path.
    mutating func look(for name: FileName, in directory: Directory) -> Entry
}

/// What a name stands for.
enum Entry: Equatable, Sendable {
    case directory(Inode)
    /// A regular file.
    case file(Inode)
    /// A symbolic link, and what it says.
    case link(to: [UInt8])
    /// A FIFO, a socket, a device.
    case other
    case missing
    /// It is not looked at: what has become of it is for others to tell.
    case foreign
    /// It cannot be told, for this error number.
    case unknown(Int32)
}
