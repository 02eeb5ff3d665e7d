import Glibc
import TestSupport
import Testing

@Suite("Missing directories and the option --create of sessionctl set and add")
struct CreateTests {
    private let folder: TemporaryFolder
    /// Runs a program without the right of root to ignore permissions.
    private let unprivileged = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""

    init() throws { folder = try TemporaryFolder() }

    @Test("set and add create missing directories with the permissions of the umask", arguments: ["022", "027", "077"])
    func nested(umask: String) throws {
        let result = try folder.shell(
            #"umask \#(umask); "$0" set --create a/b/c.json x 1 && "$0" add "$PWD//d/./e/f.json" x 2 --create"#)
        #expect(result == Program.Result(code: 0, output: "2\n"))
        #expect(try folder.read("a/b/c.json") == "{\n  \"x\": 1\n}\n")
        let expected = try folder.shell("umask \(umask); mkdir -p m/n; stat -c %a m m/n m/n").output
        #expect(try folder.shell("stat -c %a a a/b d/e").output == expected)
    }

    @Test("Directories that root creates are writable for root only, because it trusts no others") func openUmask()
        throws
    {
        let result = try folder.shell(#"umask 0; "$0" set --create a/b.json x 1 && stat -c %a a"#)
        #expect(result == Program.Result(code: 0, output: geteuid() == 0 ? "755\n" : "777\n"))
    }

    @Test("With --create, existing files and directories are treated as without it") func existing() throws {
        try folder.createFolder("a")
        try folder.write("a/b.json", "{ \"x\": 1 } // mine\n")
        #expect(try folder.sessionctl("set", "--create", "a/b.json", "x", "2") == Program.Result(code: 0))
        #expect(try folder.sessionctl("add", "--create", "a/c.json", "x", "2").output == "2\n")
        #expect(try folder.read("a/b.json") == "{ \"x\": 2 } // mine\n")
    }

    @Test("--create follows symbolic links to missing files and directories") func links() throws {
        try folder.link("link.json", to: "a/b.json")
        try folder.link("folder", to: "c/d")
        #expect(try folder.sessionctl("set", "--create", "link.json", "x", "1") == Program.Result(code: 0))
        #expect(try folder.sessionctl("set", "--create", "folder/e.json", "x", "1") == Program.Result(code: 0))
        #expect(
            try folder.shell("cat a/b.json c/d/e.json | grep -c x; readlink link.json folder").output
                == "2\na/b.json\nc/d\n")
    }

    @Test("A missing directory is named with the way to create it", arguments: [[], ["--dry-run"]])
    func advice(options: [String]) throws {
        let result = try Program.sessionctl.run(["set", "no/where/a.json", "x", "1"] + options, in: folder)
        let advice = "create it with mkdir -p, or with the option --create"
        let place = folder.path(of: "no/where")
        #expect(
            result
                == Program.Result(
                    code: 3, messages: "sessionctl: no/where/a.json: The directory \(place) does not exist; \(advice)\n"
                ))
        #expect(try folder.sessionctl("add", "no/where/a.json", "x", "1").messages == result.messages)
        #expect(try folder.names() == [])
    }

    @Test("What changes nothing creates no directories") func nothing() throws {
        let preview = try folder.sessionctl("set", "--dry-run", "--create", "a/b/c.json", "x", "1")
        #expect(preview == Program.Result(code: 0, output: "+ x: 1\n"))
        #expect(try folder.sessionctl("set", "--create", "a/b.json", "--if", "1", "x", "2").code == 1)
        #expect(try folder.sessionctl("set", "--create", "a/b.json", "x.y=1", "x.y.z=2").code == 1)
        #expect(try folder.sessionctl("add", "--create", "a/b.json", "x/y", "one").code == 2)
        for name in ["", "a/", "a/b/"] {
            let result = try folder.sessionctl("set", "--create", name, "x", "1")
            #expect(result.code == 3 && result.messages.hasSuffix(": No such file or directory\n"))
        }
        let input = try folder.sessionctl("set", "--create", "-", "x", "1", input: Array("{}".utf8))
        #expect(input.code == 2 && input.messages.hasPrefix("sessionctl: --create needs the name of a file: "))
        #expect(try folder.names() == [])
    }

    @Test("A directory that cannot be created is an error, also of a preview", arguments: [[], ["--dry-run"]])
    func impossible(options: [String]) throws {
        try folder.write("file", "")
        let inTheWay = try Program.sessionctl.run(["set", "--create", "file/a/b.json", "x", "1"] + options, in: folder)
        #expect(inTheWay == Program.Result(code: 3, messages: "sessionctl: file/a/b.json: Not a directory\n"))
        let denied = try folder.shell(
            #"mkdir -m 555 closed; exec \#(unprivileged) "$0" set --create closed/a/b.json x 1 \#(options.joined())"#)
        let reason = "user \(geteuid()) needs write permission for the directory \(folder.path(of: "closed"))"
        let message = "sessionctl: closed/a/b.json: Permission denied; \(reason), see chmod and chown"
        #expect(denied.code == 3 && denied.messages.hasPrefix(message), "\(denied)")
        #expect(try folder.shell("ls closed") == Program.Result(code: 0))
    }
}
