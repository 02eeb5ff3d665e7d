internal import Glibc
internal import VisibleText

extension FileError {
    /// What may fix a lack of permission.
    var permissionAdvice: String {
        let changesEntries = [.create, .createDirectory, .exchange].contains(operation)
        switch (errorNumber, operation) {
        case (EPERM, .write): return "the file is immutable: remove the attribute with chattr -i"
        case (EPERM, _) where changesEntries:
            return "the directory \(directoryName) may be immutable or append-only, see lsattr -d"
        case _ where changesEntries: return directoryAdvice("write")
        case (_, .list): return directoryAdvice("read")
        case (_, .remove):
            return
                "user \(geteuid()) needs write permission for each directory in it, see find \(path.visible(upTo: 1_000)) ! -writable"
        case _ where directory != nil: return directoryAdvice("search")
        case (_, .open), (_, .read): return fileAdvice("read")
        case (_, .status):
            return "user \(geteuid()) needs search permission for each directory of the path, see namei -l"
        default: return fileAdvice("write")
        }
    }

    /// The effective user is the one whose permissions the kernel checks.
    private func fileAdvice(_ permission: String) -> String {
        "user \(geteuid()) needs \(permission) permission for the file, see chmod and chown"
    }

    private func directoryAdvice(_ permission: String) -> String {
        "user \(geteuid()) needs \(permission) permission for the directory \(directoryName),"
            + " see chmod and chown, or choose another directory\(serviceAdvice)"
    }

    /// The directory that is the cause, as text for messages.
    var directoryName: String { (directory ?? SplitPath(path).directory).visible(upTo: 1_000) }

    /// Advice for paths that a service may not use, and for processes that look like services, whose home is missing.
    var serviceAdvice: String {
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let isUnderHome = ([home, "/root"].filter { $0.hasPrefix("/") && $0 != "/" }.map { "\($0)/" } + ["/home/"])
            .contains { absolutePath.hasPrefix($0) }
        guard isUnderHome || home.isEmpty || faccessat(AT_FDCWD, home, W_OK, AT_EACCESS) != 0 else { return "" }
        return "; a systemd service has STATE_DIRECTORY (StateDirectory=) for its files"
    }

    private var absolutePath: String {
        if path.hasPrefix("/") { return path }
        guard let working = getcwd(nil, 0) else { return path }
        defer { free(working) }
        return "\(String(cString: working))/\(path)"
    }
}

extension SplitPath {
    /// Returns the path of a directory without its trailing slash; `.` for the working directory.
    static func name(ofDirectory directoryPath: String) -> String {
        directoryPath.isEmpty ? "." : directoryPath == "/" ? "/" : String(directoryPath.dropLast())
    }
}
