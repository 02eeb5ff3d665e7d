internal import DurableFiles
internal import Glibc

// Creating, listing and removing.
extension Folder {
    /// Whether the directory exists. Follows symbolic links.
    public var exists: Bool { (try? Directory(path).exists()) ?? false }

    /// Creates the directory and its missing parents, each with mode 0700. Does nothing if it exists; two processes may
    /// create it at once.
    ///
    /// - Throws: A ``FolderError``, if there is no home directory, or the directory cannot be created.
    /// - Returns: This folder.
    @discardableResult
    public func create() throws(FolderError) -> Self {
        if !location.isKnown { throw FolderError(.noHome, path) }
        try withFolderError(path) { () throws(FileError) in try Directory(path).create() }
        return self
    }

    /// The names of the entries, sorted, hidden ones included; empty if the directory does not exist.
    ///
    /// - Throws: A ``FolderError``, if the directory cannot be read.
    public func names() throws(FolderError) -> [String] {
        try withFolderError(path) { () throws(FileError) in try Directory(path).names() }.sorted()
    }

    /// Removes the directory with its contents. Does nothing if it does not exist. Removes symbolic links, also one in
    /// place of the directory, without following them.
    ///
    /// - Throws: A ``FolderError``, if something cannot be removed; with the code ``FolderError/Code/baseDirectory``
    ///   for a folder without a ``subpath``: the home directory, the documents, the directory for temporary files, and
    ///   those that systemd sets.
    public func remove() throws(FolderError) {
        if subpath.isEmpty { throw FolderError(.baseDirectory, path) }
        try withFolderError(path) { () throws(FileError) in try Directory(path).remove() }
    }
}

private func withFolderError<Result>(
    _ path: String, _ body: () throws(FileError) -> Result
) throws(FolderError) -> Result {
    do throws(FileError) { return try body() } catch { throw FolderError(.file(error), path) }
}

// Temporary folders.
extension Folders {
    /// Runs `body` with a new empty folder, which is removed with its contents when `body` returns or throws. If
    /// removing fails, the folder stays.
    ///
    /// - Throws: A ``FolderError`` if the folder cannot be created, or the error of `body`.
    public static func withTemporary<Result>(_ body: (NamedFolder) throws -> Result) throws -> Result {
        let folder = try newTemporary()
        defer { try? folder.remove() }
        return try body(folder)
    }

    /// Runs `body` with a new empty folder, which is removed with its contents when `body` returns or throws. If
    /// removing fails, the folder stays.
    ///
    /// - Throws: A ``FolderError`` if the folder cannot be created, or the error of `body`.
    public nonisolated(nonsending) static func withTemporary<Result>(
        _ body: nonisolated(nonsending) (NamedFolder) async throws -> Result
    ) async throws -> Result {
        let folder = try newTemporary()
        defer { try? folder.remove() }
        return try await body(folder)
    }

    private static func newTemporary() throws(FolderError) -> NamedFolder {
        let base = temporary
        var template = Array("\(base / program)-XXXXXX".utf8CString)
        guard let name = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw FolderError(
                .file(FileError(ErrorNumber(errno), base.path, .createDirectory, directory: nil)), base.path)
        }
        return NamedFolder(location: base.location.appending(String(name[name.lastIndex(of: "/")!...].dropFirst())))
    }
}
