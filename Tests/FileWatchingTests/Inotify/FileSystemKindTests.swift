import Testing

@testable import FileWatching

@Suite struct FileSystemKindTests {
    @Test("External, generated and layered file systems have a kind, and local ones have none")
    func kinds() {
        #expect(FileSystemKind(statfsType: 0x6969)?.name == "NFS")
        #expect(FileSystemKind(statfsType: 0x6573_5546)?.name == "FUSE")
        #expect(FileSystemKind(statfsType: 0x794C_7630)?.changeSource == .layers)
        for local: UInt32 in [0xEF53, 0x0102_1994, 0x9123_683E, 0x5846_5342, 0] {
            #expect(FileSystemKind(statfsType: local) == nil)
        }
    }

    @Test("External file systems are recognized by their type in the mount table, also with a subtype")
    func types() {
        #expect(FileSystemKind(externalType: "nfs4")?.name == "NFS")
        #expect(FileSystemKind(externalType: "fuse.sshfs")?.name == "FUSE")
        #expect(FileSystemKind(externalType: "9p")?.changeSource == .external)
        for local in ["ext4", "tmpfs", "overlay", "fusectl", "proc", "nfsd", ""] {
            #expect(FileSystemKind(externalType: local) == nil)
        }
    }

    @Test("The file system kind of a directory is read with statfs")
    func proc() {
        let directory = ResolvedDirectory(path: Array("/proc".utf8), inode: Inode(device: 0, number: 0))
        #expect(FileSystemKind(statfsType: FileSystemKind.statfsType(in: directory))?.name == "proc")
    }
}
