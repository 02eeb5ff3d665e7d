/// A file by its path, read so that what comes is one version of it.
///
/// ```swift
/// let contents = try DurableFile("server.json").read(limit: 1 << 20)
/// contents.bytes                      // all of it
/// contents.isStable                   // nobody wrote meanwhile
/// contents.identity                   // to be compared with what is there later
/// ```
///
/// Nothing is opened until it is asked to read, and nothing stays open. A relative path is looked up in the working
/// directory of that moment. Reading a file that nobody writes to takes five system calls and one buffer of its size.
public struct DurableFile: Sendable, Hashable {
    /// Where it is, as given.
    public let path: String

    /// The file at `path`, which need not exist.
    public init(_ path: String) { self.path = path }

    /// Reads all of it; again if somebody writes meanwhile, three times at most.
    ///
    /// Symbolic links are followed. What is not a regular file (a folder, a pipe, a device) is refused and never waited
    /// for. A file of more than `limit` bytes is refused without being read. The calling thread is kept while the disk
    /// works, and for up to 2 s where another program holds a lease on the file.
    public func read(limit: Int) throws(FileError) -> FileContents {
        try read(limit: limit, through: Kernel.shared)
    }

    /// Which version of the file is there now, without opening it. What ``read(limit:)`` would refuse by its kind is
    /// refused.
    public func identity() throws(FileError) -> FileIdentity { try identity(through: Kernel.shared) }
}

extension DurableFile {
    /// With what lies with the version that is read.
    package func read(limit: Int, noting note: SideNote?) throws(FileError) -> FileContents {
        try read(limit: limit, through: Kernel.shared, noting: note)
    }

    package func read(
        limit: Int, through calls: some FileCalls, noting note: SideNote? = nil
    ) throws(FileError) -> FileContents {
        try requirePossiblePath(for: .open)
        var reading = StableReading(path: path, limit: limit, calls: calls, note: note)
        return try reading.run()
    }

    package func identity(through calls: some FileCalls) throws(FileError) -> FileIdentity {
        try requirePossiblePath(for: .look)
        let status: FileStatus
        do throws(ErrorNumber) {
            status = try uninterrupted { () throws(ErrorNumber) in try calls.status(at: path) }
        } catch {
            throw FileError(error, path, .look)
        }
        try status.requireRegular(path)
        return status.identity
    }

    /// A path that holds NUL would mean the path before it.
    func requirePossiblePath(for operation: FileError.Operation) throws(FileError) {
        if path.utf8.contains(0) { throw FileError(.invalidPath, path, operation) }
    }
}
