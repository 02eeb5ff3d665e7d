internal import Glibc

/// The result of resolving a path: an open directory, and a name in it that is not a symbolic link.
///
/// All operations on names use the open directory, wherever it is moved and whatever takes its path meanwhile.
struct ResolvedPath<System: FileCalls>: ~Copyable {
    /// The path as the caller gave it.
    let path: String
    var directory: OpenFile<System>
    let name: String
    /// The path of the directory with a trailing slash; empty for the working directory.
    let directoryPath: String
    let calls: System
    /// Whether the directory can be read. A directory that can only be written to can be neither locked nor
    /// synchronized.
    let isListable: Bool
    let trust: PathTrust
    /// The lookup that led to the directory; nil if no trust check is needed.
    let lookup: Lookup?

    static var flags: Int32 { O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC }

    /// The path of another file in the same directory, for messages.
    func path(of name: String) -> String { directoryPath + name }

    /// Throws if an untrusted user may have placed the file. `status` is the status of an open file.
    func requireTrusted(_ status: FileStatus, _ name: String) throws(FileError) {
        try lookup?.requireTrusted(status, name, of: path)
    }

    /// Throws if an untrusted user may have made the name a hard link to a file that must not be written to.
    func requireSafeToOverwrite(_ status: FileStatus) throws(FileError) {
        try requireTrusted(status, name)
        if status.linkCount <= 1 { return }
        let current = try withFileError(path, .status) {
            [calls, descriptor = directory.descriptor] () throws(ErrorNumber) in
            try calls.status(of: descriptor)
        }
        let lookup = Lookup(trust: trust, directory: current, path: directoryPath[...])
        try lookup.requireSafeToOverwrite(status, name, of: path)
    }

    /// Whether the process is privileged and users without its privileges can change the directory.
    var isWritableByOthers: Bool { lookup.map { $0.trust.isPrivileged && !$0.trust.protects($0.directory) } ?? false }
}

extension ResolvedPath {
    /// Resolves the path, following trusted symbolic links, also if the last one leads to nothing yet.
    static func resolve(
        _ path: String, createsDirectories: Bool, directoryPermissions: UInt32 = 0o700, trust: PathTrust, calls: System
    ) throws(FileError) -> ResolvedPath {
        if let resolved = try resolveWithoutLinks(path, trust: trust, calls: calls) { return resolved }
        var resolver = try PathResolver.begin(
            path, createsDirectories: createsDirectories, directoryPermissions: directoryPermissions, trust: trust,
            calls: calls)
        let name = try resolver.resolve()
        let isListable = try resolver.openForReading()
        return resolver.resolvedPath(named: name, isListable: isListable)
    }

    /// Resolves a path in one call; returns nil if it contains a symbolic link, if an untrusted user can rename a part
    /// of it, or if a directory is missing or may not be searched. Then each component has to be checked by itself.
    private static func resolveWithoutLinks(
        _ path: String, trust: PathTrust, calls: System
    ) throws(FileError) -> ResolvedPath? {
        let parts = try SplitPath(path, of: path)
        var isListable = true
        let directory: OpenFile<System>
        do throws(ErrorNumber) {
            directory = try open(parts.directory, &isListable, calls)
        } catch {
            // ENOSYS or EPERM: kernels and container runtimes from before 2020 do not know or do not allow openat2.
            // EACCES, ENOENT: the resolver creates the directory, or tells which one is the cause.
            if [ELOOP, ENOSYS, EPERM, EACCES, ENOENT].contains(error.rawValue) { return nil }
            throw FileError(error, path, .open)
        }
        let lookup = Lookup.forProtectedDirectory(of: parts, trust: trust, calls: calls)
        if trust.isPrivileged, lookup == nil { return nil }
        if try mayBeLink(parts.name, in: directory, path) { return nil }
        return ResolvedPath(
            path: path, directory: directory, name: parts.name, directoryPath: String(parts.directoryPath),
            calls: calls,
            isListable: isListable, trust: trust, lookup: lookup)
    }

    private static func open(
        _ directory: String, _ isListable: inout Bool, _ calls: System
    ) throws(ErrorNumber) -> OpenFile<System> {
        func open(_ flags: Int32) throws(ErrorNumber) -> OpenFile<System> {
            try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.openWithoutLinks(directory, in: AT_FDCWD, flags)
            }
        }
        do throws(ErrorNumber) {
            return try open(flags)
        } catch {
            guard error.rawValue == EACCES else { throw error }
            isListable = false
            return try open(PathResolver<System>.pathOnlyFlags | O_DIRECTORY)
        }
    }

    /// Whether the name is a symbolic link, or the process may not search the directory.
    private static func mayBeLink(
        _ name: String, in directory: borrowing OpenFile<System>, _ path: String
    ) throws(FileError) -> Bool {
        let (calls, descriptor) = (directory.calls, directory.descriptor)
        do throws(ErrorNumber) {
            _ = try uninterrupted { () throws(ErrorNumber) in try calls.target(of: name, in: descriptor) }
            return true
        } catch {
            if [EINVAL, ENOENT].contains(error.rawValue) { return false }
            if error.rawValue == EACCES { return true }
            throw FileError(error, path, .status)
        }
    }
}

/// A path split into its directory and its last component.
struct SplitPath {
    private let path: String
    private let lastSlash: String.Index?

    /// Throws if only a directory can have the path.
    init(_ path: String, of given: String) throws(FileError) {
        self.init(path)
        if path.isEmpty { throw FileError(ErrorNumber(ENOENT), given, .open) }
        if ["", ".", ".."].contains(name) { throw FileError(.directory, given, .open) }
    }

    init(_ path: String) { (self.path, lastSlash) = (path, path.utf8.lastIndex(of: Self.slash)) }

    private static var slash: UInt8 { UInt8(ascii: "/") }

    var isAbsolute: Bool { path.utf8.first == Self.slash }

    var name: String { String(path[directoryPath.endIndex...]) }

    var directory: String { lastSlash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "." }

    /// The directory with a trailing slash; empty for the working directory.
    var directoryPath: Substring { path[..<(lastSlash.map { path.utf8.index(after: $0) } ?? path.startIndex)] }

    /// Whether `predicate` returns true for the path of each directory that the path visits, one after the other, apart
    /// from those behind symbolic links: `/`, `/a` and `/a/b` for `/a/b/name`.
    func allDirectories(_ predicate: (UnsafePointer<CChar>) -> Bool) -> Bool {
        guard predicate(isAbsolute ? "/" : ".") else { return false }
        guard let lastSlash else { return true }
        let length = path.utf8.distance(from: path.startIndex, to: lastSlash)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { text in
            // Each directory in turn ends at a NUL that stands for the slash behind it.
            _ = path.withCString { memcpy(text.baseAddress!, $0, length + 1) }
            let slash = CChar(Self.slash)
            var end = 0
            while true {
                while end < length, text[end] == slash { end += 1 }
                if end == length { return true }
                while end < length, text[end] != slash { end += 1 }
                text[end] = 0
                guard predicate(text.baseAddress!) else { return false }
                text[end] = slash
            }
        }
    }
}
