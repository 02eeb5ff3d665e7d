internal import Glibc

/// The state of a path lookup in one directory: the directory, how the path got there, and whom the process trusts.
struct Lookup: Sendable {
    /// A symbolic link of an untrusted owner that the path was followed through.
    struct UntrustedLink {
        let path: String
        let owner: UInt32
    }

    var trust: PathTrust
    var directory: FileStatus
    /// The path of the directory with a trailing slash; empty for the working directory.
    var path: Substring
    /// The last symbolic link followed, if untrusted and no directory has been entered since.
    var untrustedLink: UntrustedLink?

    /// The path of the directory without the trailing slash; `.` for the working directory.
    var directoryName: String { SplitPath.name(ofDirectory: String(path)) }

    func path(of name: String) -> String { String(path) + name }

    /// Throws if an untrusted user may have placed `entry` under `name` in this directory.
    func requireTrusted(_ entry: FileStatus, _ name: @autoclosure () -> String, of file: String) throws(FileError) {
        if let untrustedPart = untrustedPart(for: entry, name) {
            throw FileError(.untrusted(untrustedPart), file, .open)
        }
    }

    /// Returns the lookup in the directory of a path, or nil if an untrusted user can replace it or one of its ancestors.
    /// What holds for these directories now also held when the path was opened just before. The open has to come first,
    /// because `stat` does not trigger an automount.
    static func forProtectedDirectory(of parts: SplitPath, trust: PathTrust, calls: some FileCalls) -> Lookup? {
        guard trust.isPrivileged else { return nil }
        var trust = trust
        var parent: FileStatus?
        let areProtected = parts.allDirectories { path in
            guard
                let status = try? uninterrupted({ () throws(ErrorNumber) in
                    try calls.status(of: path, in: AT_FDCWD)
                }), status.kind == .directory
            else { return false }
            if let parent {
                guard trust.protects(status, in: parent) else { return false }
            } else if parts.isAbsolute {
                trust.trustOwner(ofRootDirectory: status)
            }
            parent = status
            return true
        }
        guard areProtected, let directory = parent else { return nil }
        return Lookup(trust: trust, directory: directory, path: parts.directoryPath)
    }

    /// Throws if writing into the file would change a file that others may have linked here.
    func requireSafeToOverwrite(_ entry: FileStatus, _ name: String, of file: String) throws(FileError) {
        if entry.linkCount <= 1 || trust.protects(directory) || isPrivate(to: entry.user) { return }
        throw FileError(.untrusted(UntrustedPath(.hardLink, path(of: name), owner: entry.user)), file, .open)
    }

    private func isPrivate(to owner: UInt32) -> Bool {
        directory.user == owner && directory.permissions & (S_IWGRP | S_IWOTH) == 0
    }
}

extension Lookup {
    private func untrustedPart(for entry: FileStatus, _ name: () -> String) -> UntrustedPath? {
        if trust.isPrivileged { return untrustedPartForPrivileged(for: entry, name) }
        guard entry.kind == .link, !trust.protects(directory) else { return nil }
        let isKnown = trust.trusts(entry.user) || entry.user == directory.user
        return isKnown && entry.hasOneName ? nil : untrustedPath(for: entry, name())
    }

    /// Everything in a path that belongs to one and the same user concerns that user only. Beyond that, only a regular
    /// file of a trusted owner with a single link is accepted, never a link or a directory.
    private func untrustedPartForPrivileged(for entry: FileStatus, _ name: () -> String) -> UntrustedPath? {
        let isTrusted = trust.trusts(entry.user)
        let isTrustedFile = isTrusted && entry.kind == .regular
        if let untrustedLink, entry.user != untrustedLink.owner,
            !(isTrustedFile && directory.user == untrustedLink.owner)
        {
            return UntrustedPath(.symbolicLink, untrustedLink.path, owner: untrustedLink.owner)
        }
        if trust.protects(directory) || isPrivate(to: entry.user) { return nil }
        let isAllowed =
            if trust.trusts(directory.user) {
                // The sticky bit keeps other users from renaming the entry.
                isTrustedFile || isTrusted && directory.permissions & (S_IWOTH | S_ISVTX) != S_IWOTH
            } else {
                isTrustedFile || entry.user == directory.user
            }
        if !isAllowed { return untrustedPath(for: entry, name()) }
        return entry.hasOneName ? nil : UntrustedPath(.hardLink, path(of: name()), owner: entry.user)
    }

    private func untrustedPath(for entry: FileStatus, _ name: String) -> UntrustedPath {
        if entry.kind == .link { return UntrustedPath(.symbolicLink, path(of: name), owner: entry.user) }
        let isShared = trust.trusts(directory.user) || directory.permissions & (S_IWGRP | S_IWOTH) != 0
        return UntrustedPath(
            isShared ? .sharedDirectory : .directory, path.isEmpty ? "." : String(path), owner: directory.user)
    }
}

extension FileStatus {
    /// Directories cannot have several hard links.
    fileprivate var hasOneName: Bool { kind == .directory || linkCount <= 1 }
}
