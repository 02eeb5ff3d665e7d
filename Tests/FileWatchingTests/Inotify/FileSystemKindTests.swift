import Testing

@testable import FileWatching

@Suite struct FileSystemKindTests {
    @Test("what other machines or the kernel change is named, local file systems are not")
    func kinds() {
        #expect(FileSystemKind(blind: 0x6969)?.name == "NFS")
        #expect(FileSystemKind(blind: 0x6573_5546)?.name == "FUSE")
        #expect(FileSystemKind(blind: 0x794C_7630)?.author == .layers)
        for local: UInt32 in [0xEF53, 0x0102_1994, 0x9123_683E, 0x5846_5342, 0] {
            #expect(FileSystemKind(blind: local) == nil)
        }
    }

    @Test("in the list of mounts, what others change goes by names of its own, some with a second part")
    func types() {
        #expect(FileSystemKind(foreign: "nfs4")?.name == "NFS")
        #expect(FileSystemKind(foreign: "fuse.sshfs")?.name == "FUSE")
        #expect(FileSystemKind(foreign: "9p")?.author == .others)
        for local in ["ext4", "tmpfs", "overlay", "fusectl", "proc", "nfsd", ""] {
            #expect(FileSystemKind(foreign: local) == nil)
        }
    }

    @Test("the kind of a folder is asked of the kernel")
    func proc() {
        let directory = Directory(path: Array("/proc".utf8), inode: Inode(device: 0, number: 0))
        #expect(FileSystemKind(blind: FileSystemKind.number(in: directory))?.name == "proc")
    }
}
