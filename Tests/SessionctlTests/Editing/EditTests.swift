import Glibc
import TestSupport
import Testing

@Suite("sessionctl edit")
struct EditTests {
    private let fixture: EditFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try EditFixture() }

    @Test("edit saves the user's text byte for byte and removes the copy") func saved() throws {
        let script = #"printf '{"port":9090,\n\n // "x"\n "list":[1 ,2,],}' >"$1"; touch "$1~""#
        #expect(try fixture.edit(script) == Program.Result(code: 0))
        #expect(try fixture.text() == "{\"port\":9090,\n\n // \"x\"\n \"list\":[1 ,2,],}")
        #expect(try folder.shell("ls -A tmp; ls -A").output == "a.json\neditor\ntmp\n")
    }

    @Test("edit works with vim", .needs(.vim)) func vim() throws {
        let command = "vim -u NONE -i NONE -N -es -c '%s/8080/9090/' -c 'write' -c 'quit'"
        let environment = ["VISUAL": command, "TMPDIR": folder.path(of: "tmp")]
        let result = try Program.sessionctl.run(["edit", "a.json"], in: folder, environment: environment)
        #expect(result == Program.Result(code: 0))
        #expect(try fixture.text() == fixture.settings.replacing("8080", with: "9090"))
        #expect(try folder.shell("ls -A tmp").output == "")
    }

    @Test("edit opens a copy with the name of the file that only the user can read") func copy() throws {
        let script =
            #"stat -c %a "$1" "${1%/*}" >seen; basename "$1" >>seen; dirname "${1%/*}" >>seen; cmp "$1" a.json"#
        #expect(try fixture.edit(script).messages == "a.json: unchanged\n")
        #expect(try folder.read("seen") == "600\n700\na.json\n\(folder.path(of: "tmp"))\n")
    }

    @Test(
        "edit runs VISUAL, EDITOR or vi, in this order, as a shell command",
        arguments: [
            ("./ed visual", "./ed editor", "visual"), ("", "./ed 'two words'", "two words"), ("", "", "vi"),
            ("'./my ed' -n", "", "-n"), ("env WORD=x ./ed $(echo y)", "", "y"),
        ])
    func choice(visual: String, editor: String, seen: String) throws {
        let script =
            "#!/bin/sh\nif [ $# = 1 ]; then echo vi; else printf '%s\\n' \"$1\"; fi >\(folder.path(of: "seen"))\n"
        for name in ["ed", "my ed", "vi"] {
            try folder.write(name, script)
            chmod(folder.path(of: name), 0o700)
        }
        let result = try Program.sessionctl.run(
            ["edit", "a.json"], in: folder,
            environment: [
                "VISUAL": visual, "EDITOR": editor, "PATH": "\(folder.path):/usr/bin:/bin",
                "TMPDIR": folder.path(of: "tmp"),
            ])
        #expect(result == Program.Result(code: 0, messages: "a.json: unchanged\n"))
        #expect(try folder.read("seen") == seen + "\n")
    }

    @Test(
        "edit opens files whose names look like options or contain shell syntax", arguments: ["-n", "a b;$(x)'.json"])
    func oddNames(name: String) throws {
        try folder.write(name, "{}")
        let environment = try fixture.environment(#"printf 1 >"$1""#)
        let result = try Program.sessionctl.run(["edit", "--", name], in: folder, environment: environment)
        #expect(result == Program.Result(code: 0))
        #expect(try folder.read(name) == "1")
    }

    @Test("edit starts with an empty object if the file is missing, and follows symbolic links") func missing() throws {
        try folder.link("link.json", to: "new.json")
        #expect(try fixture.edit("true", file: "link.json").messages == "link.json: unchanged\n")
        #expect(try folder.shell("ls new.json").code != 0)
        #expect(try fixture.edit(#"sed -i 's/{/{ "a": 1 /' "$1""#, file: "link.json") == Program.Result(code: 0))
        #expect(try folder.read("new.json") == "{ \"a\": 1 }\n")
        #expect(try folder.shell("readlink link.json").output == "new.json\n")
    }

    @Test("edit accepts a file without a value, and leaves it so") func blank() throws {
        try folder.write("blank.json", "// mine\n")
        #expect(try fixture.edit("true", file: "blank.json").messages == "blank.json: unchanged\n")
        #expect(try fixture.edit("echo '// more' >>\"$1\"", file: "blank.json") == Program.Result(code: 0))
        #expect(try folder.read("blank.json") == "// mine\n// more\n")
    }

    @Test(
        "edit changes nothing if the editor fails or leaves the text unchanged",
        arguments: [
            ("true", 0, "a.json: unchanged"),
            ("exit 3", 1, "sessionctl: the editor (sh editor) ended with exit status 3: nothing was saved"),
            ("kill -9 $$", 1, "sessionctl: the editor (sh editor) was killed by signal 9: nothing was saved"),
            ("exit 127", 3, "sessionctl: the editor (sh editor) cannot be run; set VISUAL or EDITOR"),
            ("rm \"$1\"", 3, "No such file or directory"),
        ])
    func nothing(script: String, code: Int32, message: String) throws {
        let result = try fixture.edit(script)
        #expect(result.code == code && result.messages.hasSuffix(message + "\n"))
        #expect(try fixture.text() == fixture.settings)
        #expect(try folder.shell("ls -A tmp").output == "")
    }

    @Test("edit keeps the copy if the editor fails after saving") func failedLate() throws {
        let result = try fixture.edit(#"echo '{ "port": 1 }' >"$1"; exit 1"#)
        #expect(result.code == 1 && fixture.reportsKeptCopy(result.messages))
        #expect(try fixture.keptCopy() == "{ \"port\": 1 }\n")
        #expect(try fixture.text() == fixture.settings)
    }

    @Test("edit warns about a duplicate key and saves the text") func duplicateKey() throws {
        let result = try fixture.edit(#"echo '{ "a": 1, "a": 2 }' >"$1""#)
        #expect(result.code == 0 && result.messages.hasPrefix("a.json:1:11: warning: "))
        #expect(try fixture.text() == "{ \"a\": 1, \"a\": 2 }\n")
    }

    @Test("edit rejects files that could not be saved before it opens the editor") func unsavableFiles() throws {
        try folder.createFolder("folder")
        let missing = "The directory \(folder.path(of: "none")) does not exist; create it with mkdir -p"
        for (name, reason) in [
            ("", "No such file or directory"), ("folder", "Is a directory"), ("none/a.json", missing),
            ("none/", "No such file or directory"), ("a.json/x", "Not a directory"),
        ] {
            let result = try fixture.edit("touch opened", file: name)
            let title = name.isEmpty ? "\"\"" : name
            #expect(result == Program.Result(code: 3, messages: "sessionctl: \(title): \(reason)\n"))
        }
        let input = try fixture.edit("touch opened", file: "-")
        #expect(input.code == 2 && input.messages.hasPrefix("sessionctl: standard input (-) cannot be edited"))
        chmod(folder.path(of: "a.json"), 0o444)
        let advice = "user \(geteuid()) needs write permission for the file, see chmod and chown"
        let unprivileged = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        #expect(
            try folder.shell(#"EDITOR='touch opened' exec \#(unprivileged) "$0" edit a.json"#)
                == Program.Result(code: 3, messages: "sessionctl: a.json: Permission denied; \(advice)\n"))
        #expect(try folder.shell(#"TMPDIR=$PWD/none exec "$0" edit editor"#).code == 3)
        if geteuid() == 0 {
            let script =
                #"mkdir other && chown 1000 other && TMPDIR=$PWD/other EDITOR='touch opened' exec "$0" edit editor"#
            #expect(try folder.shell(script).messages.contains("other/ belongs to user 1000"))
            #expect(try folder.shell("ls -A other").output == "")
        }
        #expect(try folder.shell("ls opened").code != 0)
    }
}
