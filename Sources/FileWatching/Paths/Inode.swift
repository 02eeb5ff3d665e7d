internal import Glibc

/// Which file or directory something is, whatever it is called: two names with one inode are one file.
///
/// The kernel may give the number of a file that is gone to a new one.
struct Inode: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    init(_ status: stat) { self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) }
}
