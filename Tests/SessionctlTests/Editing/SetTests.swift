import Glibc
import TestSupport
import Testing

@Suite("sessionctl set and unset")
struct SetTests {
    let folder: TemporaryFolder
    let settings = """
        {
          // where it listens
          "http": { "port": 8080 }, // for now
          "list": [1, 2]
        }

        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", settings)
    }

    @Test(
        "set changes one value and no other byte",
        arguments: [
            (["http.port", "9090"], "8080", "9090"), (["/list/-", "3"], "[1, 2]", "[1, 2, 3]"),
            (["http.tls.on", "true"], "8080 }", "8080, \"tls\": { \"on\": true } }"),
            (["--string", "list", "[]"], "[1, 2]", "\"[]\""), (["-s", "list", "-1"], "[1, 2]", "\"-1\""),
            (["list.0", "-1.50"], "1,", "-1.50,"), (["list.0", "1.0"], "1,", "1,"),
        ] as [([String], String, String)])
    func one(arguments: [String], old: String, new: String) throws {
        let operands =
            arguments.first!.hasPrefix("-") ? [arguments[0], "a.json"] + arguments[1...] : ["a.json"] + arguments
        #expect(try Program.sessionctl.run(["set"] + operands, in: folder) == Program.Result(code: 0))
        #expect(try folder.read("a.json") == settings.replacing(old, with: new))
    }

    @Test("set and add write the object into a file without a value, after its comments", arguments: ["", "// mine\n"])
    func blank(text: String) throws {
        try folder.write("blank.json", text)
        #expect(try folder.sessionctl("set", "blank.json", "a", "1") == Program.Result(code: 0))
        #expect(try folder.sessionctl("add", "blank.json", "a", "2").output == "3\n")
        #expect(try folder.read("blank.json") == text + "{\n  \"a\": 3\n}\n")
        try folder.write("blank.json", text)
        let piped = try folder.shell("'\(Program.sessionctl.path)' set - a 1 <blank.json")
        #expect(piped.output == text + "{\n  \"a\": 1\n}\n")
        #expect(try folder.sessionctl("unset", "blank.json", "a").code == 1)
        #expect(try folder.read("blank.json") == text)
    }

    @Test("unset removes a member with its comments") func unset() throws {
        #expect(try folder.sessionctl("unset", "a.json", "http") == Program.Result(code: 0))
        #expect(try folder.read("a.json") == "{\n  \"list\": [1, 2]\n}\n")
        let again = try folder.sessionctl("unset", "a.json", "http")
        #expect(
            again.code == 1
                && again.messages.contains("a.json: no value at http: the root is an object without the key"))
    }

    @Test("set to an equal value does not replace the file") func unchanged() throws {
        let before = try inode("a.json")
        #expect(try folder.sessionctl("set", "a.json", "http.port", "8080.0").code == 0)
        #expect(try inode("a.json") == before)
    }

    @Test("set keeps permissions and symbolic links and leaves no other files") func permissions() throws {
        try folder.createFolder("real")
        try folder.write("real/b.json", "{}\n")
        chmod(folder.path(of: "real/b.json"), 0o640)
        try folder.link("b.json", to: "real/b.json")
        #expect(try folder.sessionctl("set", "b.json", "x", "1").code == 0)
        #expect(try folder.read("real/b.json") == "{\n  \"x\": 1\n}\n")
        #expect(
            try folder.shell("stat -c %a real/b.json; readlink b.json; ls -A real").output
                == "640\nreal/b.json\nb.json\n")
    }

    @Test("set creates a missing file, also at the target of a symbolic link") func created() throws {
        try folder.link("link.json", to: "new.json")
        #expect(try folder.sessionctl("set", "link.json", "a.b", "1").code == 0)
        #expect(try folder.read("new.json") == "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n")
        #expect(try folder.shell("readlink link.json").output == "new.json\n")
        #expect(try folder.sessionctl("unset", "none.json", "a").code == 3)
        #expect(try folder.sessionctl("set", "no/folder.json", "a", "1").code == 3)
    }

    @Test("set and unset edit standard input to standard output") func pipes() throws {
        let result = try folder.sessionctl("set", "-", "a", "2", input: Array("{\"a\":1} // x".utf8))
        #expect(result == Program.Result(code: 0, output: "{\"a\":2} // x"))
        #expect(try folder.sessionctl("unset", "-", "a", input: Array("{\"a\":1}\n".utf8)).output == "{}\n")
    }

    @Test("set leaves an invalid file unchanged and reports the location") func broken() throws {
        try folder.write("b.json", "{\n  \"a\": ,\n}\n")
        let result = try folder.sessionctl("set", "b.json", "a", "1")
        #expect(result.code == 1 && result.messages.hasPrefix("b.json:2:8: error: "))
        #expect(try folder.read("b.json") == "{\n  \"a\": ,\n}\n")
    }

    @Test("set and unset report unusable arguments") func invalidArguments() throws {
        let bare = try folder.sessionctl("set", "a.json", "name", "hello")
        #expect(
            bare.code == 2 && bare.messages.contains("hello is not valid JSON") && bare.messages.contains("--string"))
        #expect(try folder.sessionctl("set", "a.json", "name").messages.hasPrefix("sessionctl: JSON is missing\n"))
        #expect(try folder.sessionctl("set", "a.json", "a..b", "1").code == 2)
        #expect(try folder.sessionctl("set", "a.json", "list.x", "1").code == 1)
        #expect(try folder.sessionctl("set", "a.json", "http.port.x", "1").messages.contains("http.port is a number"))
        let root = try folder.sessionctl("unset", "a.json", "")
        #expect(root.code == 1 && root.messages == "sessionctl: a.json: the whole value cannot be removed\n")
        #expect(try folder.read("a.json") == settings)
    }

    @Test("set accepts long file names and rejects a symbolic link to a name that is not UTF-8") func names() throws {
        let long = String(repeating: "n", count: 250) + ".json"
        try folder.write(long, "{}")
        #expect(try folder.sessionctl("set", long, "a", "1").code == 0)
        #expect(
            try folder.shell("printf '{}' >\"$(printf 't\\377.json')\"; ln -s \"$(printf 't\\377.json')\" odd.json")
                .code == 0)
        let odd = try folder.sessionctl("set", "odd.json", "a", "1")
        #expect(
            odd.code == 3 && odd.messages == "sessionctl: odd.json: A symbolic link has a target that is not UTF-8\n"
        )
        #expect(try folder.shell("ls -A | wc -l").output == "4\n")
    }

    @Test("set rejects a path deeper than the depth limit") func deepPath() throws {
        let path = String(repeating: "/a", count: 65_000)
        let result = try folder.sessionctl("set", "a.json", path, "1")
        #expect(result.code == 1 && result.messages.contains("nested deeper than the limit allows"))
    }

    @Test("set leaves no file behind if the file size limit is exceeded") func fileSizeLimit() throws {
        // The limit leaves room for the half megabyte that a sanitizer writes itself.
        let large = #"{ "a": 1, "text": ""# + String(repeating: "x", count: 2 << 20) + "\" }"
        try folder.write("a.json", large)
        let result = try folder.shell("ulimit -f 2048; exec \"$0\" set a.json a 2")
        #expect(result == Program.Result(code: 3, messages: "sessionctl: a.json: File too large\n"))
        #expect(try folder.read("a.json") == large)
        #expect(try folder.shell("ls -A").output == "a.json\n")
    }

    private func inode(_ name: String) throws -> String { try folder.shell("stat -c %i \(name)").output }
}
