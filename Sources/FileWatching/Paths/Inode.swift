internal import Glibc

/// Which file or directory something is, whatever it is called: two names with one inode are one file.
///
/// The kernel may give the number of a file that is gone to a new one.
struct Inode: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// What a path without a slash at its end leads to; nothing for the root.
    init(at path: some Collection<UInt8>) throws(SystemError) {
        var status = stat()
        let text = (path.isEmpty ? [UInt8(ascii: "/")] : Array(path)) + [0]
        let error = text.withUnsafeBytes { stat($0.baseAddress!.assumingMemoryBound(to: CChar.self), &status) }
        if error != 0 { throw SystemError(number: errno) }
        self.init(status)
    }

    init(_ status: stat) { self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) }
}
