internal import CLinux
internal import Glibc

/// A directory at a path, which is resolved by the rules of files: see <doc:ReplacingFiles>.
package struct Directory: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Creates the directory with its parents, each with mode 0700. Does nothing if it exists; two processes may create
    /// it at once.
    package func create() throws(FileError) {
        var resolver = try resolver(createsDirectories: true)
        try resolver.enterDirectory()
    }

    /// Whether there is a directory.
    package func exists() throws(FileError) -> Bool {
        do throws(FileError) {
            var resolver = try resolver(createsDirectories: false)
            try resolver.enterDirectory()
            return true
        } catch {
            if error.code == .missing { return false }
            throw error
        }
    }

    /// The names in the directory; none if it does not exist.
    package func names() throws(FileError) -> [String] {
        guard let directory = try open() else { return [] }
        let names = try withFileError(path, .list) { () throws(ErrorNumber) in
            try Kernel.shared.names(in: directory.descriptor, beginningWith: "")
        }
        return names.filter { ![".", ".."].contains($0) }
    }

    /// Removes the directory with its contents. Does nothing if it does not exist. A symbolic link in its place is
    /// removed itself.
    package func remove() throws(FileError) {
        // Use the opened parent, so that only links that other operations follow are followed.
        let (parentPath, name) = try splitPath()
        guard let parent = try Directory(parentPath).open() else { return }
        try withFileError(path, .remove) { () throws(ErrorNumber) in
            var status = stat()
            guard fstatat(parent.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                if errno == ENOENT { return }
                throw ErrorNumber(errno)
            }
            if status.st_mode & S_IFMT != S_IFLNK { return try Self.removeDirectory(name, in: parent.descriptor) }
            guard unlinkat(parent.descriptor, name, 0) == 0 || errno == ENOENT else { throw ErrorNumber(errno) }
        }
    }

    /// Removes the directory if it is empty. Does nothing if it does not exist, and to a mount point.
    package func removeIfEmpty() throws(FileError) {
        let (parentPath, name) = try splitPath()
        guard let parent = try Directory(parentPath).open() else { return }
        guard
            unlinkat(parent.descriptor, name, AT_REMOVEDIR) == 0 || [ENOENT, ENOTEMPTY, EEXIST, EBUSY].contains(errno)
        else { throw FileError(ErrorNumber(errno), path, .remove) }
    }

    /// The path of the parent, and the name in it.
    private func splitPath() throws(FileError) -> (parent: String, name: String) {
        let slash = UInt8(ascii: "/")
        let bytes = path.utf8.reversed().drop { $0 == slash }
        let name = bytes.prefix { $0 != slash }
        let parent = bytes.dropFirst(name.count)
        if name.isEmpty || parent.isEmpty { throw FileError(ErrorNumber(EINVAL), path, .remove) }
        return (String(decoding: parent.reversed(), as: UTF8.self), String(decoding: name.reversed(), as: UTF8.self))
    }

    func open() throws(FileError) -> OpenFile<Kernel>? {
        do throws(FileError) {
            var resolver = try resolver(createsDirectories: false)
            try resolver.enterDirectory()
            let descriptor = resolver.directory.descriptor
            return try withFileError(path, .list) { () throws(ErrorNumber) in
                try OpenFile(Kernel.shared) { (calls) throws(ErrorNumber) in
                    try calls.open(".", in: descriptor, ResolvedPath<Kernel>.flags, permissions: 0)
                }
            }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    private func resolver(createsDirectories: Bool) throws(FileError) -> PathResolver<Kernel> {
        try DurableFile(path).requirePossiblePath(for: .open)
        return try PathResolver.begin(
            path, createsDirectories: createsDirectories, trust: PathTrust(naming: [], calls: Kernel.shared),
            calls: Kernel.shared)
    }

    /// Removes the entries of an open directory. Symbolic links are removed themselves; an entry that another process
    /// removes meanwhile is as good as removed here.
    private static func removeEntries(in directory: Int32) throws(ErrorNumber) {
        let descriptor = try errnoResult(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)).get()
        guard let stream = fdopendir(descriptor) else {
            defer { _ = Glibc.close(descriptor) }
            throw ErrorNumber(errno)
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // Not as a String, because a name may be no UTF-8.
            guard let name = clinux_entry_name(entry) else { continue }
            if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { continue }
            if unlinkat(directory, name, 0) == 0 || errno == ENOENT { continue }
            // Linux answers EISDIR, POSIX allows EPERM.
            guard errno == EISDIR || errno == EPERM else { throw ErrorNumber(errno) }
            try removeDirectory(name, in: directory)
        }
    }

    private static func removeDirectory(_ name: UnsafePointer<CChar>, in directory: Int32) throws(ErrorNumber) {
        let inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if inner < 0 {
            if errno == ENOENT { return }
            throw ErrorNumber(errno)
        }
        defer { _ = Glibc.close(inner) }
        try removeEntries(in: inner)
        guard unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT else { throw ErrorNumber(errno) }
    }
}
