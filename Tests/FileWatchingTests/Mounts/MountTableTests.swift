import Testing

@testable import FileWatching

@Suite struct MountTableTests {
    private func table(_ lines: String..., folders: [String] = []) -> MountTable {
        MountTable(parsing: Array(lines.joined(separator: "\n").utf8)) { path in
            folders.contains { Array($0.utf8) == path }
        }
    }

    private func changes(_ old: MountTable, _ new: MountTable) -> [String] {
        new.changes(since: old).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    private let root = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw"

    @Test("what is mounted is known by its path, with or without words that tell of propagation")
    func parsing() {
        let table = table(
            root, #"40 27 0:50 / /a\040b\134c rw shared:1 master:2 - fuse.sshfs me@host:/ rw"#, "rubbish", "")
        #expect(table.mount(at: [])?.type == "ext4")
        #expect(table.mount(at: Array(#"/a b\c"#.utf8))?.type == "fuse.sshfs")
        #expect(table.foreignKind(at: Array(#"/a b\c"#.utf8))?.name == "FUSE")
        #expect(table.foreignKind(at: []) == nil)
        #expect(table.mount(at: Array("/a".utf8)) == nil)
    }

    @Test("an overlay has layers in sight if one of its folders can be found")
    func layers() {
        let line = #"40 27 0:50 / /o rw - overlay overlay rw,lowerdir=/a\134:b:/c\040d,upperdir=/e,workdir=/f,xino=off"#
        let path = Array("/o/x/y".utf8)
        for folder in ["/a:b", "/c d", "/e"] {
            #expect(table(root, line, folders: [folder]).mount(holding: path)?.hasLayersInSight == true, "\(folder)")
        }
        for folder in ["/a", "b", "/f", "/c", "off"] {
            #expect(table(root, line, folders: [folder]).mount(holding: path)?.hasLayersInSight == false, "\(folder)")
        }
        let relative = "40 27 0:50 / /o rw - overlay overlay rw,lowerdir=l/a:l/b,upperdir="
        #expect(table(root, relative + "/u", folders: ["l/a"]).mount(holding: path)?.hasLayersInSight == false)
        #expect(table(root, relative + "u").mount(holding: path)?.hasLayersInSight == true, "nobody knows")
        let new = "40 27 0:50 / /o rw - overlay overlay rw,lowerdir+=/a,lowerdir+=/b"
        #expect(table(root, new, folders: ["/b"]).mount(holding: path)?.hasLayersInSight == true)
        #expect(table(root, new, folders: ["/b"]).mount(holding: Array("/x".utf8))?.type == "ext4")
    }

    @Test("what a later mount hides is not there: on the same folder, and on one above it")
    func hidden() {
        let nested = ["40 27 0:50 / /x rw - tmpfs a rw", "41 40 0:51 / /x/y rw - nfs4 b rw"]
        let before = table(root, nested[0], nested[1])
        #expect(before.mount(at: Array("/x/y".utf8))?.type == "nfs4")
        let over = table(root, nested[0], nested[1], "42 40 0:52 / /x rw - ext4 c rw")
        #expect(over.mount(at: Array("/x".utf8))?.type == "ext4")
        #expect(over.mount(at: Array("/x/y".utf8)) == nil)
        #expect(changes(before, over) == ["/x", "/x/y"])
        let above = table(root, "40 27 0:50 / /x/y rw - nfs4 a rw", "41 27 0:51 / /x rw - tmpfs b rw")
        #expect(above.mount(at: Array("/x/y".utf8)) == nil)
        let deep = table(
            root, nested[0], nested[1], "43 41 0:53 / /x/y/z rw - 9p d rw", "42 40 0:52 / /x rw - ext4 c rw")
        #expect(deep.mount(at: Array("/x/y/z".utf8)) == nil)
    }

    @Test("mounts that come, go, or take another's place are changes, others are not")
    func changes() {
        let one = "40 27 0:50 / /x rw - tmpfs a rw"
        #expect(changes(table(root), table(root, one)) == ["/x"])
        #expect(changes(table(root, one), table(root)) == ["/x"])
        #expect(changes(table(root, one), table(root, "40 27 0:50 /part /x rw - tmpfs a rw")) == ["/x"])
        #expect(changes(table(root, one), table(root, "41 27 0:50 / /x rw - tmpfs a rw")) == ["/x"])
        #expect(changes(table(root, one), table(one, root)).isEmpty)
        #expect(changes(table(), table(root)) == [""])
    }

    @Test("the kernel's own list can be read")
    func real() {
        let mounts = Mounts()
        #expect(!mounts.begin().isEmpty)
        #expect(mounts.begin().isEmpty && mounts.update().isEmpty)
        #expect(mounts.table.mount(at: []) != nil)
        #expect(mounts.table.mount(at: Array("/proc".utf8))?.type == "proc")
    }
}
