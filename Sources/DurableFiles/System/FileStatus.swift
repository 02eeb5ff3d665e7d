internal import Glibc

/// An `errno` value, thrown by system calls.
package struct ErrorNumber: Error, Hashable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) { self.rawValue = rawValue }
}

/// The status of a file, as in stat(2).
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case regular
        case directory
        case link
        case special(SpecialFileKind)
    }

    package var kind: Kind
    package var identity: FileIdentity
    package var permissions: UInt32
    package var user: UInt32
    package var group: UInt32
    /// The number of hard links: 0 after another file replaced this one, which a coarse clock may not show.
    package var linkCount: UInt64
}

extension FileStatus {
    /// Throws unless the file is a regular file.
    func requireRegular(_ path: String) throws(FileError) {
        switch kind {
        case .regular: return
        case .directory: throw FileError(.directory, path, .status)
        case .link: throw FileError(.loop, path, .status)
        case .special(let kind): throw FileError(.notRegular(kind), path, .status)
        }
    }

    func isSameFile(as other: FileStatus) -> Bool { identity.isSameFile(as: other.identity) }
}

extension FileStatus {
    init(_ status: stat) {
        kind = Kind(mode: status.st_mode)
        identity = FileIdentity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: FileTime(status.st_mtim), changed: FileTime(status.st_ctim))
        permissions = UInt32(status.st_mode & 0o7777)
        user = status.st_uid
        group = status.st_gid
        linkCount = UInt64(status.st_nlink)
    }
}

extension FileStatus.Kind {
    fileprivate init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .link
        case S_IFIFO: self = .special(.pipe)
        case S_IFSOCK: self = .special(.socket)
        case S_IFCHR, S_IFBLK: self = .special(.device)
        default: self = .special(.unknown)
        }
    }
}

extension FileTime {
    init(_ time: timespec) {
        seconds = Int64(time.tv_sec)
        nanoseconds = Int32(time.tv_nsec)
    }
}
