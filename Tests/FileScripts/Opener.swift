import DurableFiles

/// Who opens a file that a lease is on.
package enum Opener {
    /// Whether the kernel holds somebody back from the file with that number.
    package static func waits(for inode: UInt64) throws -> Bool {
        let locks = try DurableFile("/proc/locks").read(limit: 1 << 20).bytes
        return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains {
            $0.contains("BREAKING") && $0.contains(":\(inode) ")
        }
    }
}
