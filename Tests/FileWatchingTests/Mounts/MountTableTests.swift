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

    @Test("Lines of the mount table are parsed with and without propagation fields")
    func parsing() {
        let table = table(
            root, #"40 27 0:50 / /a\040b\134c rw shared:1 master:2 - fuse.sshfs me@host:/ rw"#, "rubbish", "")
        #expect(table.mount(at: [])?.type == "ext4")
        #expect(table.mount(at: Array(#"/a b\c"#.utf8)[...])?.type == "fuse.sshfs")
        #expect(table.externalKind(at: Array(#"/a b\c"#.utf8)[...])?.name == "FUSE")
        #expect(table.externalKind(at: []) == nil)
        #expect(table.mount(at: Array("/a".utf8)[...]) == nil)
    }

    /// Whether an overlay at /o with these options, beside another mount, has reachable layers if these directories
    /// exist.
    private func hasReachableLayers(_ options: String, beside other: String = "", folders: String...) -> Bool {
        let table = table(root, "40 27 0:50 / /o rw - overlay overlay \(options)", other)
        return table.hasReachableLayers(under: Array("/o/x/y".utf8)) { path in
            folders.contains { Array($0.utf8) == path }
        }
    }

    @Test("An overlay has reachable layers if one of its directories exists or may exist")
    func layers() {
        let line = #"rw,lowerdir=/a\134:b:/c\040d:/g\054h,upperdir=/e,workdir=/f,xino=off"#
        for folder in ["/a:b", "/c d", "/e", "/g,h"] { #expect(hasReachableLayers(line, folders: folder), "\(folder)") }
        for folder in ["/a", "b", "/f", "/c", "off", "/g"] {
            #expect(!hasReachableLayers(line, folders: folder), "\(folder)")
        }
        #expect(!hasReachableLayers("rw,lowerdir=l/a:l/b,upperdir=/u", folders: "l/a"))
        #expect(hasReachableLayers("rw,lowerdir=l/a:l/b,upperdir=u"), "relative layers may be anywhere")
        #expect(hasReachableLayers("rw,lowerdir+=/a,lowerdir+=/b:c", folders: "/b:c"))
        #expect(
            hasReachableLayers("rw,lowerdir=/n/a", beside: "41 27 0:51 / /n rw - nfs4 b rw"),
            "external file systems are not accessed")
        let none = table(root).hasReachableLayers(under: Array("/o".utf8)) { _ in false }
        #expect(none, "the table contains no overlay")
    }

    @Test("The root mount, which is its own parent, hides no other mount")
    func ownParent() {
        let lines = table(
            "1 1 0:2 / / rw - rootfs none rw", "40 1 0:50 / /x rw - nfs4 a rw", "41 1 0:51 / /y rw - autofs b rw")
        #expect(lines.mount(at: [])?.type == "rootfs")
        #expect(lines.externalKind(at: Array("/x".utf8)[...])?.name == "NFS")
        #expect(lines.externalKind(at: Array("/y".utf8)[...])?.name == "an automount")
    }

    @Test("A later mount hides earlier ones on the same directory and below it")
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

    @Test("New, removed and replaced mounts are changes, and others are not")
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
        "The kernel's mount table is read again only after a change and the minimum interval")
    func real() {
        let mounts = MountMonitor()
        let begin = Instant.now
        #expect(mounts.readFirst(begin)?.isEmpty == false)
        #expect(mounts.readFirst(begin) == nil && mounts.readIfDue(begin) == nil && mounts.deadline == nil)
        #expect(mounts.table.mount(at: [])?.type != nil)
        #expect(mounts.table.mount(at: Array("/proc".utf8)[...])?.type == "proc")
        mounts.scheduleRead(begin)
        #expect(mounts.readIfDue(begin) == nil)
        #expect(mounts.deadline.map { mounts.readIfDue($0) } == [])
        mounts.descriptorLost(begin)
        #expect(mounts.descriptor < 0 && mounts.readIfDue(begin) == [])
    }
}
