internal import CLinux

/// A kind of file system whose files can change without inotify's telling.
struct FileSystemKind: Equatable {
    enum Author: Equatable {
        /// Other machines or other programs change files, without asking this kernel. They may also be slow to answer, or
        /// never do.
        case others
        /// The kernel makes the files up when they are read.
        case kernel
        /// What is written here is told, but what is written to the folders that it is made of is not.
        case layers
    }

    let name: String
    let author: Author

    /// Nil for the local file systems, and for those nobody knows.
    init?(blind number: UInt32) {
        guard let kind = Self.byNumber[number] else { return nil }
        self = kind
    }

    /// By the name that the kernel has for the kind, for those that others change; nil for the rest.
    init?(foreign type: String) {
        guard let row = Self.foreign.first(where: { $0.types.contains(where: type.isKind) }) else { return nil }
        self.init(row.name, .others)
    }

    private init(_ name: String, _ author: Author) { (self.name, self.author) = (name, author) }

    /// The kernel's number of the kind of file system that a directory, or what is called `name` in it, is on.
    static func number(of name: FileName = .here, in directory: Directory) -> UInt32 {
        directory.path(of: name).withUnsafeBytes {
            clinux_file_system($0.baseAddress!.assumingMemoryBound(to: CChar.self))
        }
    }

    /// Numbers as `statfs` gives them, and names as in /proc/filesystems: FUSE and others add a dot and a name of their own.
    private static let foreign: [(name: String, numbers: [UInt32], types: [String])] = [
        ("NFS", [0x0000_6969], ["nfs", "nfs4"]),
        ("SMB", [0x0000_517B, 0xFF53_4D42, 0xFE53_4D42], ["smbfs", "cifs", "smb3"]),
        ("9P", [0x0102_1997], ["9p"]),
        ("FUSE", [0x6573_5546], ["fuse", "fuseblk", "virtiofs"]),
        ("Ceph", [0x00C3_6400], ["ceph"]),
        ("AFS", [0x5346_414F, 0x6B41_4653], ["afs"]),
        // What it mounts when it is walked into is told as a mount, and may take as long as a server does.
        ("an automount", [0x0000_0187], ["autofs"]),
        ("Coda", [0x7375_7245], ["coda"]),
        ("NCP", [0x0000_564C], ["ncpfs"]),
        ("Lustre", [0x0BD0_0BD0], ["lustre"]),
        ("GFS2", [0x0116_1970], ["gfs2"]),
        ("OCFS2", [0x7461_636F], ["ocfs2"]),
        ("GPFS", [0x4750_4653], ["gpfs"]),
        ("BeeGFS", [0x1983_0326], ["beegfs"]),
        ("OrangeFS", [0x2003_0528], ["pvfs2"]),
        ("PanFS", [0xAAD7_AAEA], ["panfs"]),
        ("a VirtualBox shared folder", [0x786F_4256], ["vboxsf"]),
        ("a VMware shared folder", [0xBACB_ACBC], ["vmhgfs"]),
        ("a Parallels shared folder", [0x7C7C_6673], ["prl_fs"]),
    ]

    private static let byNumber: [UInt32: FileSystemKind] = {
        var kinds: [UInt32: FileSystemKind] = [
            0x0000_9FA0: FileSystemKind("proc", .kernel), 0x6265_6572: FileSystemKind("sysfs", .kernel),
            0x6462_6720: FileSystemKind("debugfs", .kernel), 0x7472_6163: FileSystemKind("tracefs", .kernel),
            0x0027_E0EB: FileSystemKind("cgroup", .kernel), 0x6367_7270: FileSystemKind("cgroup2", .kernel),
            0x7363_6673: FileSystemKind("securityfs", .kernel), 0x6265_6570: FileSystemKind("configfs", .kernel),
            0xF97C_FF8C: FileSystemKind("selinuxfs", .kernel), 0x4341_5D53: FileSystemKind("smackfs", .kernel),
            0xCAFE_4A11: FileSystemKind("bpf", .kernel), 0xDE5E_81E4: FileSystemKind("efivarfs", .kernel),
            0x6165_676C: FileSystemKind("pstore", .kernel), 0x0765_5821: FileSystemKind("resctrl", .kernel),
            0x6573_5543: FileSystemKind("fusectl", .kernel), 0x4249_4E4D: FileSystemKind("binfmt_misc", .kernel),
            0x794C_7630: FileSystemKind("overlayfs", .layers),
        ]
        for row in foreign { for number in row.numbers { kinds[number] = FileSystemKind(row.name, .others) } }
        return kinds
    }()
}

extension String {
    /// Whether this is the name of a kind of file system, or begins with it and a dot.
    fileprivate func isKind(_ kind: String) -> Bool { self == kind || hasPrefix(kind + ".") }
}
