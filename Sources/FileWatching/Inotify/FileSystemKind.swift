internal import CLinux

/// A kind of file system whose files can change without inotify's telling: other machines, other programs or the kernel
/// itself change them.
struct FileSystemKind: Equatable {
    let name: String

    /// Nil for the local file systems, and for those nobody knows.
    init?(blind number: UInt32) {
        guard let name = Self.names[number] else { return nil }
        self.name = name
    }

    /// The kernel's number of the kind of file system that a directory is on.
    static func number(of directory: Directory) -> UInt32 {
        let path = directory.path(of: .here)
        return path.withUnsafeBytes { clinux_file_system($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }

    private static let names: [UInt32: String] = [
        0x0000_6969: "NFS", 0x0000_517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB 2", 0x0102_1997: "9P",
        0x6573_5546: "FUSE", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda",
        0x0000_564C: "NCP", 0x0BD0_0BD0: "Lustre", 0x0116_1970: "GFS2", 0x7461_636F: "OCFS2", 0x4750_4653: "GPFS",
        0x1983_0326: "BeeGFS", 0x2003_0528: "OrangeFS", 0xAAD7_AAEA: "PanFS", 0x786F_4256: "VirtualBox shared folder",
        0xBACB_ACBC: "VMware shared folder", 0x7C7C_6673: "Parallels shared folder",
        0x0000_9FA0: "proc", 0x6265_6572: "sysfs", 0x6462_6720: "debugfs", 0x7472_6163: "tracefs",
        0x0027_E0EB: "cgroup", 0x6367_7270: "cgroup2",
    ]
}
