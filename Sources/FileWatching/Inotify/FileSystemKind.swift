internal import CLinux

/// A kind of file system where inotify does not report every change.
struct FileSystemKind: Equatable {
    enum ChangeSource: Equatable {
        /// Other machines or programs change files without this kernel. They may also respond slowly or not at all.
        case external
        /// The kernel generates the files when they are read.
        case kernel
        /// Writes through the mount are reported, but writes to the underlying directories are not.
        case layers
    }

    let name: String
    let changeSource: ChangeSource

    /// The kind with this `statfs` type; nil for local and for unknown file systems.
    init?(statfsType number: UInt32) {
        guard let kind = Self.byNumber[number] else { return nil }
        self = kind
    }

    /// The kind with this name in the mount table, if it is an external one; nil for the rest.
    init?(externalType type: String) {
        guard let row = Self.externalKinds.first(where: { $0.types.contains(where: type.isKind) }) else { return nil }
        self.init(row.name, .external)
    }

    private init(_ name: String, _ changeSource: ChangeSource) { (self.name, self.changeSource) = (name, changeSource) }

    /// Returns the `statfs` type of the file system that holds a directory, or the entry `name` of it.
    static func statfsType(of name: FileName = .current, in directory: ResolvedDirectory) -> UInt32 {
        directory.path(of: name).withUnsafeBytes {
            clinux_file_system_type($0.baseAddress!.assumingMemoryBound(to: CChar.self))
        }
    }

    /// The numbers are those of `statfs`, the names those of /proc/filesystems. FUSE and others append a dot and a
    /// subtype.
    private static let externalKinds: [(name: String, numbers: [UInt32], types: [String])] = [
        ("NFS", [0x0000_6969], ["nfs", "nfs4"]),
        ("SMB", [0x0000_517B, 0xFF53_4D42, 0xFE53_4D42], ["smbfs", "cifs", "smb3"]),
        ("9P", [0x0102_1997], ["9p"]),
        ("FUSE", [0x6573_5546], ["fuse", "fuseblk", "virtiofs"]),
        ("Ceph", [0x00C3_6400], ["ceph"]),
        ("AFS", [0x5346_414F, 0x6B41_4653], ["afs"]),
        // Entering one triggers a mount, which may take as long as a server does. The mount is then reported as such.
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
        for row in externalKinds { for number in row.numbers { kinds[number] = FileSystemKind(row.name, .external) } }
        return kinds
    }()
}

extension String {
    /// Whether this is the name of a file system type, alone or followed by a dot and a subtype.
    fileprivate func isKind(_ kind: String) -> Bool { self == kind || hasPrefix(kind + ".") }
}
