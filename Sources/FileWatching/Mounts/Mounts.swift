internal import Glibc

/// The mounts that this process sees, and the descriptor that tells when they change: inotify does not.
///
/// Only whoever runs the hub's loop touches it.
final class Mounts {
    /// Has an exceptional condition, as `poll` calls it, when mounts have changed; -1 where /proc cannot be read.
    private(set) var descriptor: Int32 = -1
    private(set) var table = MountTable()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads what is mounted, unless that is known and changes will be told; returns the paths at which that is news.
    func begin() -> [[UInt8]] {
        guard descriptor < 0 else { return [] }
        descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? [] : update()
    }

    /// Reads what is mounted now, and returns the paths at which it is not what it was.
    func update() -> [[UInt8]] {
        let old = table
        lseek(descriptor, 0, SEEK_SET)
        table = MountTable(parsing: ProcFile.read(descriptor)) { Inode(atFolder: $0) != nil }
        return table.changes(since: old)
    }

    /// Somebody has closed the descriptor.
    func lost() { descriptor = -1 }
}
