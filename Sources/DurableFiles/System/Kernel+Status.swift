internal import Glibc

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
    fileprivate init(_ time: timespec) {
        seconds = Int64(time.tv_sec)
        nanoseconds = Int32(time.tv_nsec)
    }
}
