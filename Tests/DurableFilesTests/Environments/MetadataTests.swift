import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite(
    "Metadata of a replaced file", .requiresRoot,
    .needs(.unshare, .setpriv, .setfacl, .setfattr, .setcap)
)
struct MetadataTests {
    private let shell: PrivateShell
    private let file = "there/a.json"
    private let text = "something new, and longer than it was"

    init() throws {
        shell = try PrivateShell()
        try shell.run("put \(file) 1234:1235 && chmod 777 there")
    }

    private func expect(
        _ words: String, as user: PrivateShell.User = .root, settings: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if case .root = user { try removeWritePermissionOfOthers() }
        let output = try shell.run(shell.probe("replace \(file) '\(text)'", as: user, settings))
        #expect(output == words, sourceLocation: sourceLocation)
        #expect(try shell.run("cat \(file)") == text, sourceLocation: sourceLocation)
    }

    /// Root does not accept another user's file in a directory that everyone may write to.
    private func removeWritePermissionOfOthers() throws { try shell.run("chmod go-w there") }

    private func acl() throws -> String { try shell.run("getfacl --numeric --absolute-names \(file)") }

    private func status(_ format: String = "%u:%g %a") throws -> String { try shell.run("stat -c '\(format)' \(file)") }

    @Test("Root keeps owner, permissions, ACLs, extended attributes and capabilities")
    func root() throws {
        try shell.run(
            """
            chmod 4750 \(file) && setfacl -m u:77:rw,g:78:r \(file) && setfattr -n trusted.note -v t \(file) &&
            setfattr -n security.note -v s \(file) && setcap cap_net_bind_service=ep \(file)
            """)
        let before = try (metadataSummary: shell.metadataSummary(of: file), acl: acl())
        for name in ["user.note", "trusted.note", "security.note", "security.capability", "posix_acl_access"] {
            #expect(before.metadataSummary.contains(name))
        }
        #expect(before.metadataSummary.hasPrefix("1234:1235 4770 "))
        try expect("exchanged, complete, lease held, lock held")
        #expect(try shell.metadataSummary(of: file) == before.metadataSummary && acl() == before.acl)
        try shell.end()
    }

    @Test("A replaced file does not inherit the directory's default ACL")
    func defaultLists() throws {
        try shell.run("setfacl -d -m u:99:rwx,o::rw there && setfacl -b \(file) && chmod 640 \(file)")
        let before = try (metadataSummary: shell.metadataSummary(of: file), acl: acl())
        try expect("exchanged, complete, lease held, lock held")
        #expect(try shell.metadataSummary(of: file) == before.metadataSummary && acl() == before.acl)

        try shell.run("setfacl -m u:77:r \(file)")
        let own = try acl()
        try shell.run(shell.probe("replace \(file) again"))
        #expect(try acl() == own)
        try shell.end()
    }

    @Test("An unprivileged owner keeps permissions, ACL and extended attributes")
    func owner() throws {
        try shell.run("chown 1234:1234 \(file) && setfacl -m u:77:rw,g:78:r \(file) && chmod u+s \(file)")
        let before = try (metadataSummary: shell.metadataSummary(of: file), acl: acl())
        try expect("exchanged, complete, lease held, lock held", as: .stranger)
        #expect(try shell.metadataSummary(of: file) == before.metadataSummary && acl() == before.acl)
        try shell.end()
    }

    @Test("Another user's replacement reports the lost owner and group and drops group permissions")
    func stranger() throws {
        try shell.run("chown 1001:1002 \(file) && chmod 6666 \(file)")
        try expect("exchanged, complete, lease unavailable(13), lock held, lost user group", as: .stranger)
        #expect(try status() == "1234:1234 606")
        try shell.end()
    }

    @Test("Another user's replacement masks the ACL and reports it as lost")
    func strangerWithList() throws {
        try shell.run("chown 1001:1002 \(file) && chmod 606 \(file) && setfacl -m u:77:rw \(file)")
        try expect(
            #"exchanged, complete, lease unavailable(13), lock held, lost user group extended("system.posix_acl_access")"#,
            as: .stranger)
        #expect(try acl().contains("mask::---") && status() == "1234:1234 606")
        try shell.end()
    }

    /// With an ACL, the group bits are its mask.
    @Test("Losing an ACL does not extend the permissions of the group")
    func lostList() throws {
        try shell.run("chmod 600 \(file) && setfacl -m u:77:rw,g::- \(file)")
        #expect(try status() == "1234:1235 660")
        let calls = ScriptedCalls()
        calls.failures = [.setAttribute: [EOPNOTSUPP, EOPNOTSUPP]]
        try removeWritePermissionOfOthers()
        let result = try DurableFile(shell.folder.path(of: file)).replace(limit: 100, options: .durable, through: calls)
        {
            _ in Array(text.utf8)
        }
        #expect(result.lostAttributes == [.extended("system.posix_acl_access"), .extended("user.note")])
        #expect(try status() == "1234:1235 600")
        try shell.end()
    }

    @Test("A group member's replacement keeps the group and reports the lost owner")
    func member() throws {
        try shell.run("chown 1001:1002 \(file) && chmod 4664 \(file)")
        try expect("exchanged, complete, lease unavailable(13), lock held, lost user", as: .member(of: 1002))
        #expect(try status() == "1234:1002 664")
        try shell.end()
    }

    @Test("An unprivileged owner's replacement reports lost file capabilities")
    func capabilities() throws {
        try shell.run("chown 1234:1234 \(file) && setcap cap_net_bind_service=ep \(file)")
        try expect(
            #"exchanged, complete, lease held, lock held, lost extended("security.capability")"#, as: .stranger)
        #expect(try !shell.metadataSummary(of: file).contains("security.capability"))
        try shell.end()
    }

    @Test("Other hard links keep the old contents and are counted")
    func linksToOldVersion() throws {
        try shell.run("ln \(file) there/b.json && ln \(file) there/c.json")
        let inode = try status("%i")
        try expect("exchanged, complete, lease held, lock held, links to old version 2")
        #expect(try status("%h") == "1" && status("%i") != inode)
        #expect(try shell.run("cat there/b.json there/c.json; stat -c %h there/b.json").hasSuffix("\n2"))
        #expect(try shell.run("cat there/c.json") == "the old version")
        #expect(try shell.names(in: "there") == ["a.json", "b.json", "c.json"])
        try shell.end()
    }

    @Test("A replacement that keeps hard links keeps the inode and its metadata")
    func keptLinks() throws {
        try shell.run("ln \(file) there/b.json")
        let before = try (metadataSummary: shell.metadataSummary(of: file), inode: status("%i %h"))
        try expect("overwritten, complete, lease held, lock held", settings: "KEEP_LINKS=1")
        #expect(try status("%i %h") == before.inode && shell.metadataSummary(of: file) == before.metadataSummary)
        #expect(try shell.run("cat there/b.json") == text)
        #expect(try shell.names(in: "there") == ["a.json", "b.json"])
        try shell.end()
    }

    @Test("Writing in place reports that the kernel cleared set-ID bits and capabilities")
    func overwritten() throws {
        try shell.run(
            """
            chmod 755 there && chown 1234 there && ln \(file) there/b.json && chown 1234:1234 \(file) && chmod 4750 \(file) &&
            setcap cap_net_bind_service=ep \(file)
            """)
        try expect(
            #"overwritten, complete, lease held, lock held, lost permissions extended("security.capability")"#,
            as: .stranger, settings: "KEEP_LINKS=1")
        #expect(try status() == "1234:1234 750")
        try shell.end()
    }
}
