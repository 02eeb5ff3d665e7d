internal import Glibc

/// Resolves a path component by component and checks that each step is trusted.
///
/// Each component is opened with O_NOFOLLOW before it is checked, so that the checked file is the one used, whatever
/// other processes rename meanwhile.
struct PathResolver<System: FileCalls>: ~Copyable {
    /// The path as given, for errors.
    private let path: String
    private let createsDirectories: Bool
    private let directoryPermissions: UInt32
    /// Whether a magic link of /proc is followed as the last component, too.
    private let isReading: Bool
    private let calls: System
    /// The remaining components in reverse order.
    private var rest: [String]
    private var links = 0

    /// The current directory, opened with O_PATH.
    private(set) var directory: OpenFile<System>
    private(set) var lookup: Lookup
    /// Whether the last component is a magic link, which only the kernel can follow.
    private(set) var isMagicLink = false

    private static var maximumLinks: Int { 40 }
    /// O_PATH, which Swift's Glibc lacks.
    static var pathOnlyFlags: Int32 { 0o10000000 | O_CLOEXEC }

    private init(
        _ path: String, createsDirectories: Bool, directoryPermissions: UInt32, isReading: Bool,
        from directory: consuming OpenFile<System>, _ lookup: Lookup
    ) {
        (self.path, self.isReading, calls) = (path, isReading, directory.calls)
        (self.createsDirectories, self.directoryPermissions) = (createsDirectories, directoryPermissions)
        rest = Self.components(of: path)
        self.lookup = lookup
        self.directory = directory
    }

    /// Opens the directory where the path begins.
    static func begin(
        _ path: String, createsDirectories: Bool = false, directoryPermissions: UInt32 = 0o700,
        isReading: Bool = false, trust: PathTrust, calls: System
    ) throws(FileError) -> PathResolver {
        if path.isEmpty { throw FileError(ErrorNumber(ENOENT), path, .open) }
        if path.utf8.count >= Int(PATH_MAX) { throw FileError(ErrorNumber(ENAMETOOLONG), path, .open) }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let directory = try open(isAbsolute ? "/" : ".", path, calls)
        let status = try status(of: directory, path)
        var trust = trust
        if isAbsolute { trust.trustOwner(ofRootDirectory: status) }
        let lookup = Lookup(trust: trust, directory: status, path: isAbsolute ? "/" : "")
        return PathResolver(
            path, createsDirectories: createsDirectories, directoryPermissions: directoryPermissions,
            isReading: isReading, from: directory, lookup)
    }

    private static func open(_ name: String, _ path: String, _ calls: System) throws(FileError) -> OpenFile<System> {
        do throws(ErrorNumber) {
            return try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(name, in: AT_FDCWD, pathOnlyFlags | O_DIRECTORY, permissions: 0)
            }
        } catch {
            throw FileError(error, path, .open, directory: error.rawValue == EACCES ? name : nil)
        }
    }

    /// Returns the components in reverse order. A trailing slash requires a directory, as `/.` does.
    private static func components(of path: String) -> [String] {
        var path = path
        return path.withUTF8 { bytes in
            let slash = UInt8(ascii: "/")
            var names = bytes.last == slash ? ["."] : []
            var end = bytes.endIndex
            while end > 0 {
                let start = bytes[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
                if start < end { names.append(String(decoding: bytes[start..<end], as: UTF8.self)) }
                end = start - 1
            }
            return names
        }
    }

    /// Moves to the directory of the file and returns the file's name in it. The name may be unused; it is not a
    /// symbolic link.
    mutating func resolve() throws(FileError) -> String {
        guard let name = try advance() else { throw FileError(.directory, path, .open) }
        return name
    }

    /// Moves to the directory that the path leads to.
    mutating func enterDirectory() throws(FileError) {
        // Requires a directory.
        if rest.first != "." { rest.insert(".", at: 0) }
        _ = try advance()
    }

    /// Moves to the end of the path. Returns the name of a file there, which may be unused; nil if it is a directory.
    private mutating func advance() throws(FileError) -> String? {
        while let name = rest.popLast() {
            guard let entry = try open(name) else {
                if rest.isEmpty { return try requireCreatable(name) }
                try createDirectory(name)
                rest.append(name)
                continue
            }
            let status = try Self.status(of: entry, path)
            try lookup.requireTrusted(status, name, of: path)
            switch status.kind {
            case .link: try follow(entry, status, name)
            case .directory: enter(entry, status, name)
            case .regular, .special:
                if rest.isEmpty { return name }
                throw FileError(ErrorNumber(ENOTDIR), path, .open)
            }
            if isMagicLink { return name }
        }
        return nil
    }
}

extension PathResolver {
    /// Opens a component; returns nil if it does not exist. O_DIRECTORY triggers an automount.
    private func open(_ name: String) throws(FileError) -> OpenFile<System>? {
        if rest.isEmpty { return try open(name, O_NOFOLLOW) }
        do throws(FileError) {
            return try open(name, O_NOFOLLOW | O_DIRECTORY)
        } catch {
            guard [ENOTDIR, ELOOP].contains(error.errorNumber) else { throw error }
            return try open(name, O_NOFOLLOW)
        }
    }

    private func open(_ name: String, _ flags: Int32) throws(FileError) -> OpenFile<System>? {
        let descriptor = directory.descriptor
        do throws(ErrorNumber) {
            return try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(name, in: descriptor, Self.pathOnlyFlags | flags, permissions: 0)
            }
        } catch {
            if error.rawValue == ENOENT { return nil }
            // O_PATH requires search permission for the directory, but none for the entry.
            throw FileError(error, path, .open, directory: error.rawValue == EACCES ? lookup.directoryName : nil)
        }
    }

    private static func status(of entry: borrowing OpenFile<System>, _ path: String) throws(FileError) -> FileStatus {
        do throws(ErrorNumber) { return try entry.status() } catch { throw FileError(error, path, .status) }
    }

    private mutating func enter(_ entry: consuming OpenFile<System>, _ status: FileStatus, _ name: String) {
        directory = entry
        lookup = Lookup(trust: lookup.trust, directory: status, path: "\(lookup.path)\(name)/")
    }

    private mutating func follow(
        _ entry: borrowing OpenFile<System>, _ link: FileStatus, _ name: String
    ) throws(FileError) {
        let descriptor = entry.descriptor
        let bytes = try withFileError(path, .status) { () throws(ErrorNumber) in
            try calls.target(of: "", in: descriptor)
        }
        links += 1
        if links > Self.maximumLinks { throw FileError(ErrorNumber(ELOOP), path, .open) }
        let isTrusted = !lookup.trust.isPrivileged || lookup.trust.trusts(link.user)
        let untrustedLink = Lookup.UntrustedLink(path: lookup.path(of: name), owner: link.user)
        // A magic link of /proc: its text is not a path, so the length of the text differs from the size in the status.
        if link.identity.size != bytes.count, isTrusted {
            if isReading || !rest.isEmpty { return try followMagicLink(name) }
            try requireName(of: link)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw FileError(.unreadableLink, path, .open)
        }
        lookup.untrustedLink = isTrusted ? nil : untrustedLink
        if text.utf8.first == UInt8(ascii: "/") { try enterRootDirectory() }
        rest += Self.components(of: text)
    }

    /// Throws for a magic link in /proc. Such a link keeps leading to the open file, whichever file takes the name, and
    /// its text is no path if the file has been unlinked.
    private func requireName(of link: FileStatus) throws(FileError) {
        let system = try? calls.status(at: "/proc")
        if system?.identity.device == link.identity.device { throw FileError(.openFile, path, .open) }
    }

    private mutating func followMagicLink(_ name: String) throws(FileError) {
        guard let entry = try open(name, 0) else { throw FileError(ErrorNumber(ENOENT), path, .open) }
        let status = try Self.status(of: entry, path)
        try lookup.requireTrusted(status, name, of: path)
        if status.kind == .directory { return enter(entry, status, name) }
        isMagicLink = rest.isEmpty
        if !isMagicLink { throw FileError(ErrorNumber(ENOTDIR), path, .open) }
    }

    private mutating func enterRootDirectory() throws(FileError) {
        let root = try Self.open("/", path, calls)
        let status = try Self.status(of: root, path)
        lookup.trust.trustOwner(ofRootDirectory: status)
        try lookup.requireTrusted(status, "/", of: path)
        directory = root
        lookup = Lookup(trust: lookup.trust, directory: status, path: "/")
    }
}

extension PathResolver {
    private func requireCreatable(_ name: String) throws(FileError) -> String {
        try lookup.requireTrusted(lookup.trust.newEntry(.regular), name, of: path)
        return name
    }

    /// Creates a directory, and synchronizes its parent before anything is put into it.
    private func createDirectory(_ name: String) throws(FileError) {
        guard createsDirectories else {
            // A missing directory is no different from a missing file for a reader.
            let names = [name] + rest.dropFirst().reversed()
            let missing = isReading ? nil : lookup.path(of: names.joined(separator: "/"))
            throw FileError(ErrorNumber(ENOENT), path, .open, directory: missing)
        }
        try lookup.requireTrusted(lookup.trust.newEntry(.directory), name, of: path)
        let descriptor = directory.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in
                try calls.createDirectory(name, in: descriptor, permissions: directoryPermissions)
            }
            if let readable = try open(readable: descriptor) {
                try uninterrupted { () throws(ErrorNumber) in try calls.synchronize(readable.descriptor) }
            }
        } catch {
            // EEXIST: another process created it first.
            if error.rawValue != EEXIST {
                throw FileError(error, path, .createDirectory, directory: lookup.directoryName)
            }
        }
    }

    /// Reopens the directory so that it can be locked and listed; returns false if the process may not read it.
    mutating func openForReading() throws(FileError) -> Bool {
        do throws(ErrorNumber) {
            guard let readable = try open(readable: directory.descriptor) else { return false }
            directory = readable
            return true
        } catch {
            throw FileError(error, path, .open)
        }
    }

    /// Returns the directory reached, with the name of the file in it.
    ///
    /// All parts move out in one expression: in optimized builds, Swift 6.3 reads freed strings if they were copied out
    /// of a value that is consumed afterwards.
    consuming func resolvedPath(named name: String, isListable: Bool) -> ResolvedPath<System> {
        ResolvedPath(
            path: path, directory: directory, name: name, directoryPath: String(lookup.path), calls: calls,
            isListable: isListable, trust: lookup.trust, lookup: lookup)
    }

    private func open(readable descriptor: Int32) throws(ErrorNumber) -> OpenFile<System>? {
        do throws(ErrorNumber) {
            return try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(".", in: descriptor, ResolvedPath<System>.flags, permissions: 0)
            }
        } catch {
            if error.rawValue == EACCES { return nil }
            throw error
        }
    }
}
