import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("What belongs to a file beside its bytes", .asRoot, .needs(.unshare, .setpriv, .setfacl, .setfattr, .setcap))
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
        let said = try shell.run(shell.probe("replace \(file) '\(text)'", as: user, settings))
        #expect(said == words, sourceLocation: sourceLocation)
        #expect(try shell.run("cat \(file)") == text, sourceLocation: sourceLocation)
    }

    private func lists() throws -> String { try shell.run("getfacl --numeric --absolute-names \(file)") }

    private func status(_ format: String = "%u:%g %a") throws -> String { try shell.run("stat -c '\(format)' \(file)") }

    @Test("stays, all of it, when root replaces: owner, rights, lists, attributes and capabilities")
    func root() throws {
        try shell.run(
            """
            chmod 4750 \(file) && setfacl -m u:77:rw,g:78:r \(file) && setfattr -n trusted.note -v t \(file) &&
            setfattr -n security.note -v s \(file) && setcap cap_net_bind_service=ep \(file)
            """)
        let before = try (portrait: shell.portrait(of: file), lists: lists())
        for name in ["user.note", "trusted.note", "security.note", "security.capability", "posix_acl_access"] {
            #expect(before.portrait.contains(name))
        }
        #expect(before.portrait.hasPrefix("1234:1235 4770 "))
        try expect("exchanged, complete, lease held, lock held")
        #expect(try shell.portrait(of: file) == before.portrait && lists() == before.lists)
        try shell.end()
    }

    @Test("gets nothing from the lists that the folder gives to new files")
    func defaultLists() throws {
        try shell.run("setfacl -d -m u:99:rwx,o::rw there && setfacl -b \(file) && chmod 640 \(file)")
        let before = try (portrait: shell.portrait(of: file), lists: lists())
        try expect("exchanged, complete, lease held, lock held")
        #expect(try shell.portrait(of: file) == before.portrait && lists() == before.lists)

        try shell.run("setfacl -m u:77:r \(file)")
        let own = try lists()
        try shell.run(shell.probe("replace \(file) again"))
        #expect(try lists() == own)
        try shell.end()
    }

    @Test("is that of its owner, whoever else may do more to files")
    func owner() throws {
        try shell.run("chown 1234:1234 \(file) && setfacl -m u:77:rw,g:78:r \(file) && chmod u+s \(file)")
        let before = try (portrait: shell.portrait(of: file), lists: lists())
        try expect("exchanged, complete, lease held, lock held", as: .stranger)
        #expect(try shell.portrait(of: file) == before.portrait && lists() == before.lists)
        try shell.end()
    }

    @Test("is lost and told where another user may not keep it, and nobody may do more for it")
    func stranger() throws {
        try shell.run("chown 1001:1002 \(file) && chmod 6666 \(file)")
        try expect("exchanged, complete, lease unavailable(13), lock held, lost user group", as: .stranger)
        #expect(try status() == "1234:1234 606")
        try shell.end()
    }

    @Test("is a list that names others, and what they may do no longer is told with the group")
    func strangerWithList() throws {
        try shell.run("chown 1001:1002 \(file) && chmod 606 \(file) && setfacl -m u:77:rw \(file)")
        try expect(
            #"exchanged, complete, lease unavailable(13), lock held, lost user group extended("system.posix_acl_access")"#,
            as: .stranger)
        #expect(try lists().contains("mask::---") && status() == "1234:1234 606")
        try shell.end()
    }

    /// The bits of the group are those of the mask there.
    @Test("gives the group no more than it had, where a list is lost")
    func lostList() throws {
        try shell.run("chmod 600 \(file) && setfacl -m u:77:rw,g::- \(file)")
        #expect(try status() == "1234:1235 660")
        let calls = ScriptedCalls()
        calls.failures = [.setAttribute: [EOPNOTSUPP, EOPNOTSUPP]]
        let result = try DurableFile(shell.folder.path(of: file)).replace(limit: 100, options: .durable, through: calls)
        {
            _ in Array(text.utf8)
        }
        #expect(result.lostAttributes == [.extended("system.posix_acl_access"), .extended("user.note")])
        #expect(try status() == "1234:1235 600")
        try shell.end()
    }

    @Test("stays with the group, where the user is a member of it")
    func member() throws {
        try shell.run("chown 1001:1002 \(file) && chmod 4664 \(file)")
        try expect("exchanged, complete, lease unavailable(13), lock held, lost user", as: .member(of: 1002))
        #expect(try status() == "1234:1002 664")
        try shell.end()
    }

    @Test("loses its capabilities where the user may not give them, and that is told")
    func capabilities() throws {
        try shell.run("chown 1234:1234 \(file) && setcap cap_net_bind_service=ep \(file)")
        try expect(
            #"exchanged, complete, lease held, lock held, lost extended("security.capability")"#, as: .stranger)
        #expect(try !shell.portrait(of: file).contains("security.capability"))
        try shell.end()
    }

    @Test("has other names, which keep the old bytes and are counted")
    func partedLinks() throws {
        try shell.run("ln \(file) there/b.json && ln \(file) there/c.json")
        let inode = try status("%i")
        try expect("exchanged, complete, lease held, lock held, parted 2")
        #expect(try status("%h") == "1" && status("%i") != inode)
        #expect(try shell.run("cat there/b.json there/c.json; stat -c %h there/b.json").hasSuffix("\n2"))
        #expect(try shell.run("cat there/c.json") == "the old version")
        #expect(try shell.names(in: "there") == ["a.json", "b.json", "c.json"])
        try shell.end()
    }

    @Test("has other names, which go on naming it where that is wanted")
    func keptLinks() throws {
        try shell.run("ln \(file) there/b.json")
        let before = try (portrait: shell.portrait(of: file), inode: status("%i %h"))
        try expect("overwritten, complete, lease held, lock held", settings: "KEEP_LINKS=1")
        #expect(try status("%i %h") == before.inode && shell.portrait(of: file) == before.portrait)
        #expect(try shell.run("cat there/b.json") == text)
        #expect(try shell.names(in: "there") == ["a.json", "b.json"])
        try shell.end()
    }

    @Test("is lost where the kernel takes it from what is written in place, and that is told")
    func overwritten() throws {
        try shell.run(
            """
            ln \(file) there/b.json && chown 1234:1234 \(file) && chmod 4750 \(file) &&
            setcap cap_net_bind_service=ep \(file)
            """)
        try expect(
            #"overwritten, complete, lease held, lock held, lost permissions extended("security.capability")"#,
            as: .stranger, settings: "KEEP_LINKS=1")
        #expect(try status() == "1234:1234 750")
        try shell.end()
    }
}
