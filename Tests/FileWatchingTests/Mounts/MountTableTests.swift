import Locking
import Testing

@testable import FileWatching

@Suite struct MountTableTests {
    private func table(_ lines: String...) -> MountTable {
        MountTable(parsing: Array(lines.joined(separator: "\n").utf8))
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
        #expect(table.mount(at: Array(#"/a b\c"#.utf8)[...])?.type == "fuse.sshfs")
        #expect(table.foreignKind(at: Array(#"/a b\c"#.utf8)[...])?.name == "FUSE")
        #expect(table.foreignKind(at: []) == nil)
        #expect(table.mount(at: Array("/a".utf8)[...]) == nil)
    }

    /// Whether an overlay at /o with these options, beside another mount, is said to have layers in sight where there are these
    /// folders.
    private func hasLayersInSight(_ options: String, beside other: String = "", folders: String...) -> Bool {
        let table = table(root, "40 27 0:50 / /o rw - overlay overlay \(options)", other)
        return table.hasLayersInSight(under: Array("/o/x/y".utf8)) { path in folders.contains { Array($0.utf8) == path }
        }
    }

    @Test("an overlay has layers in sight if one of its folders can be found, or it cannot be told")
    func layers() {
        let line = #"rw,lowerdir=/a\134:b:/c\040d:/g\054h,upperdir=/e,workdir=/f,xino=off"#
        for folder in ["/a:b", "/c d", "/e", "/g,h"] { #expect(hasLayersInSight(line, folders: folder), "\(folder)") }
        for folder in ["/a", "b", "/f", "/c", "off", "/g"] {
            #expect(!hasLayersInSight(line, folders: folder), "\(folder)")
        }
        #expect(!hasLayersInSight("rw,lowerdir=l/a:l/b,upperdir=/u", folders: "l/a"))
        #expect(hasLayersInSight("rw,lowerdir=l/a:l/b,upperdir=u"), "nobody knows where they are")
        #expect(hasLayersInSight("rw,lowerdir+=/a,lowerdir+=/b:c", folders: "/b:c"))
        #expect(hasLayersInSight("rw,lowerdir=/n/a", beside: "41 27 0:51 / /n rw - nfs4 b rw"), "others are not asked")
        let none = table(root).hasLayersInSight(under: Array("/o".utf8)) { _ in false }
        #expect(none, "the list does not know of it")
    }

    @Test("the root of all mounts, which is its own parent, hides nothing")
    func ownParent() {
        let lines = table(
            "1 1 0:2 / / rw - rootfs none rw", "40 1 0:50 / /x rw - nfs4 a rw", "41 1 0:51 / /y rw - autofs b rw")
        #expect(lines.mount(at: [])?.type == "rootfs")
        #expect(lines.foreignKind(at: Array("/x".utf8)[...])?.name == "NFS")
        #expect(lines.foreignKind(at: Array("/y".utf8)[...])?.name == "an automount")
    }

    @Test("what a later mount hides is not there: on the same folder, and on one above it")
    func hidden() {
        let nested = ["40 27 0:50 / /x rw - tmpfs a rw", "41 40 0:51 / /x/y rw - nfs4 b rw"]
        let before = table(root, nested[0], nested[1])
        #expect(before.mount(at: Array("/x/y".utf8)[...])?.type == "nfs4")
        let over = table(root, nested[0], nested[1], "42 40 0:52 / /x rw - ext4 c rw")
        #expect(over.mount(at: Array("/x".utf8)[...])?.type == "ext4")
        #expect(over.mount(at: Array("/x/y".utf8)[...]) == nil)
        #expect(changes(before, over) == ["/x", "/x/y"])
        let above = table(root, "40 27 0:50 / /x/y rw - nfs4 a rw", "41 27 0:51 / /x rw - tmpfs b rw")
        #expect(above.mount(at: Array("/x/y".utf8)[...]) == nil)
        let deep = table(
            root, nested[0], nested[1], "43 41 0:53 / /x/y/z rw - 9p d rw", "42 40 0:52 / /x rw - ext4 c rw")
        #expect(deep.mount(at: Array("/x/y/z".utf8)[...]) == nil)
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

    @Test(
        "the kernel's own list can be read, and is not read again until something has happened, or too soon after that")
    func real() {
        let mounts = Mounts()
        let begin = Moment.now
        #expect(mounts.begin(begin)?.isEmpty == false)
        #expect(mounts.begin(begin) == nil && mounts.readIfDue(begin) == nil && mounts.deadline == nil)
        #expect(mounts.table.mount(at: [])?.type != nil)
        #expect(mounts.table.mount(at: Array("/proc".utf8)[...])?.type == "proc")
        mounts.changed(begin)
        #expect(mounts.readIfDue(begin) == nil)
        #expect(mounts.deadline.map { mounts.readIfDue($0) } == [])
        mounts.lost(begin)
        #expect(mounts.descriptor < 0 && mounts.readIfDue(begin) == [])
    }
}
