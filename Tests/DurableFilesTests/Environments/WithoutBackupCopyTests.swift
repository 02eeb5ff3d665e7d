import TestSupport
import Testing

@Suite("Writing in place without a backup copy", .requiresRoot, .needs(.unshare, .setpriv, .setfattr, .mount))
struct WithoutBackupCopyTests {
    private let shell: PrivateShell
    private static let unwritableDirectory =
        "permission, create, 13: Permission denied; user 1234 needs write permission for the directory there,"
        + " see chmod and chown, or choose another directory"

    init() throws {
        shell = try PrivateShell()
        try shell.run("put there/a.json 1234:1234")
    }

    /// Expects an error, because nothing is written without a backup copy.
    private func expectError(_ words: String, _ settings: String = "") throws {
        let result = try shell.result(of: shell.probe("replace there/a.json new", as: .stranger, settings))
        #expect(result.code == 1 && result.output == words)
        #expect(try shell.run("cat there/a.json") == "the old version")
        #expect(try shell.names(in: "there") == ["a.json"])
    }

    @Test("A file is not written in place if the user has no backup directory")
    func noDirectory() throws {
        let advice = "; a systemd service has STATE_DIRECTORY (StateDirectory=) for its files"
        try expectError(Self.unwritableDirectory + advice, "-u XDG_STATE_HOME -u HOME")
        try expectError(Self.unwritableDirectory + advice, "-u HOME XDG_STATE_HOME=relative")
        try expectError(Self.unwritableDirectory, "XDG_STATE_HOME=/proc/nowhere")
        try shell.end()
    }

    @Test("A file is not written in place if the backup directory is read-only or full")
    func noRoom() throws {
        try shell.run("mkdir -m 700 \(PrivateShell.backups) && chown 1234:1234 \(PrivateShell.backups)")
        try shell.run("mount --bind state state && mount -o remount,bind,ro state")
        try expectError(Self.unwritableDirectory)
        try shell.run("umount state && mount -t tmpfs -o nr_inodes=1,mode=700,uid=1234 tmpfs \(PrivateShell.backups)")
        try expectError(
            "full, create, 28: No space left on device; free space on the file system of"
                + " \(shell.folder.path(of: PrivateShell.backups)), see df and df -i")
        try shell.end()
    }

    @Test("A file is not written in place if other users may write to the backup directory")
    func untrusted() throws {
        try shell.run("mkdir -m 777 \(PrivateShell.backups)")
        try expectError(Self.unwritableDirectory)
        try shell.run("chown 1234 \(PrivateShell.backups)")
        try expectError(Self.unwritableDirectory)
        try shell.run("rmdir \(PrivateShell.backups) && ln -s /tmp \(PrivateShell.backups)")
        try expectError(Self.unwritableDirectory)
        #expect(try shell.result(of: "ls -A /tmp | grep -F .backup-").output == "")
        try shell.end()
    }
}
