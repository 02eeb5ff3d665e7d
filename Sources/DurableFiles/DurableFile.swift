/// A file at a path, with methods that read and replace one complete version of it.
///
/// ```swift
/// let contents = try DurableFile("server.json").read(limit: 1 << 20)
/// contents.bytes                      // the whole file
/// contents.isStable                   // true if the file did not change during the read
/// contents.identity                   // identifies this version, for later comparison
/// ```
///
/// A value opens nothing until a method is called, and keeps nothing open afterwards. A relative path resolves against
/// the working directory at the time of the call. Reading a file without concurrent writers takes six system calls and
/// one buffer of the file's size; a process of root makes one more call for each directory of the path.
public struct DurableFile: Sendable, Hashable {
    /// The path as given.
    public let path: String

    /// Creates a value for the file at `path`, which need not exist.
    public init(_ path: String) { self.path = path }

    /// Reads the whole file. If the file changes meanwhile, reads it again; makes at most three attempts.
    ///
    /// Symbolic links are followed if they are trusted: see <doc:ReplacingFiles>. Anything but a regular file (a
    /// directory, a pipe, a device) is an error, and the call does not block on it. A file of more than `limit` bytes
    /// is an error too, and is not read. The call blocks the thread during disk I/O, and for up to 2 s if another
    /// program holds a lease on the file.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of the file in bytes.
    ///   - trustedOwners: The IDs of further users whose links and directories are trusted, as in
    ///     ``ReplaceOptions/trustedOwners``.
    public func read(limit: Int, trustedOwners: Set<UInt32> = []) throws(FileError) -> FileContents {
        try read(limit: limit, trustedOwners: trustedOwners, through: Kernel.shared)
    }

    /// Returns the identity of the current version without opening the file. Throws for the kinds of file that
    /// ``read(limit:trustedOwners:)`` rejects. Follows symbolic links of any owner.
    public func identity() throws(FileError) -> FileIdentity { try identity(through: Kernel.shared) }
}

extension DurableFile {
    /// Reads the file into a storage, together with the marker stored with it, and records its owner and permissions.
    ///
    /// - Returns: Whether the bytes are one version: see ``FileContents/isStable``.
    package func read(
        into storage: any FileStorage, limit: Int, trustedOwners: Set<UInt32>, marker: WriteMarker?,
        lastAttributes: LastKnownAttributes
    ) throws(FileError) -> Bool {
        var reader = try reader(limit, trustedOwners, Kernel.shared, marker, lastAttributes)
        return try reader.run(into: storage).isStable
    }

    package func read(
        limit: Int, trustedOwners: Set<UInt32> = [], through calls: some FileCalls, marker: WriteMarker? = nil,
        lastAttributes: LastKnownAttributes? = nil
    ) throws(FileError) -> FileContents {
        var reader = try reader(limit, trustedOwners, calls, marker, lastAttributes)
        let storage = ByteStorage()
        let (status, isStable) = try reader.run(into: storage)
        return FileContents(
            bytes: storage.bytes, identity: status.identity, mode: status.permissions, isStable: isStable)
    }

    private func reader<System: FileCalls>(
        _ limit: Int, _ trustedOwners: Set<UInt32>, _ calls: System, _ marker: WriteMarker?,
        _ attributes: LastKnownAttributes?
    ) throws(FileError) -> StableReader<System> {
        try requirePossiblePath(for: .open)
        let trust = PathTrust(naming: trustedOwners, calls: calls)
        return StableReader(
            path: path, limit: limit, trust: trust, calls: calls, marker: marker, attributes: attributes)
    }

    package func identity(through calls: some FileCalls) throws(FileError) -> FileIdentity {
        try requirePossiblePath(for: .status)
        let status: FileStatus
        do throws(ErrorNumber) {
            status = try uninterrupted { () throws(ErrorNumber) in try calls.status(at: path) }
        } catch {
            throw FileError(error, path, .status)
        }
        try status.requireRegular(path)
        return status.identity
    }

    /// Throws if the path contains NUL, where the kernel would end it.
    func requirePossiblePath(for operation: FileError.Operation) throws(FileError) {
        if path.utf8.contains(0) { throw FileError(.invalidPath, path, operation) }
    }
}
