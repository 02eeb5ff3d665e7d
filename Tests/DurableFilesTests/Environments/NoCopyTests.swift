import TestSupport
import Testing

@Suite("A file in a folder that takes no copy", .asRoot, .needs(.unshare, .setpriv, .setfattr, .mount))
struct NoCopyTests {
    private let shell: PrivateShell
    private static let folderRefuses =
        "permission, create, 13: Permission denied; the user of this program must be allowed to write to its folder"

    init() throws {
        shell = try PrivateShell()
        try shell.run("put there/a.json 1234:1234")
    }

    /// Without a copy nothing is written.
    private func expectRefusal(_ words: String, _ settings: String = "") throws {
        let result = try shell.result(of: shell.probe("replace there/a.json new", as: .stranger, settings))
        #expect(result.code == 1 && result.output == words)
        #expect(try shell.run("cat there/a.json") == "the old version")
        #expect(try shell.names(in: "there") == ["a.json"])
    }

    @Test("is left as it is where the user has no folder for copies")
    func noFolder() throws {
        try expectRefusal(Self.folderRefuses, "-u XDG_STATE_HOME -u HOME")
        try expectRefusal(Self.folderRefuses, "XDG_STATE_HOME=relative")
        try expectRefusal(Self.folderRefuses, "XDG_STATE_HOME=/proc/nowhere")
        try shell.end()
    }

    @Test("is left as it is where the folder for copies is read-only or full")
    func noRoom() throws {
        try shell.run("mkdir -m 700 \(PrivateShell.copies) && chown 1234:1234 \(PrivateShell.copies)")
        try shell.run("mount --bind state state && mount -o remount,bind,ro state")
        try expectRefusal(Self.folderRefuses)
        try shell.run("umount state && mount -t tmpfs -o nr_inodes=1,mode=700,uid=1234 tmpfs \(PrivateShell.copies)")
        try expectRefusal("full, create, 28: No space left on device")
        try shell.end()
    }

    @Test("is left as it is where others could write to the folder for copies")
    func untrusted() throws {
        try shell.run("mkdir -m 777 \(PrivateShell.copies)")
        try expectRefusal(Self.folderRefuses)
        try shell.run("chown 1234 \(PrivateShell.copies)")
        try expectRefusal(Self.folderRefuses)
        try shell.run("rmdir \(PrivateShell.copies) && ln -s /tmp \(PrivateShell.copies)")
        try expectRefusal(Self.folderRefuses)
        #expect(try shell.result(of: "ls -A /tmp | grep -F .rescued-").output == "")
        try shell.end()
    }
}
