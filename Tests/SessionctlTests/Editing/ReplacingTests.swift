import Glibc
import TestSupport
import Testing

@Suite("Replacing of files by sessionctl")
struct ReplacingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{ \"a\": 1 }\n")
    }

    @Test("Two concurrent writers lose no change") func together() throws {
        let result = try folder.shell(
            """
            for side in left right; do
              (for number in $(seq 40); do "$0" set a.json "$side.$number" "$number" || echo "$side.$number"; done) &
            done
            wait
            "$0" get a.json left | grep -c :; "$0" get a.json right | grep -c :; "$0" get a.json a; ls -A
            """)
        #expect(result == Program.Result(code: 0, output: "40\n40\n1\na.json\n"))
    }

    @Test("A killed command leaves a valid file, and the next command removes leftover temporary files")
    func killed() throws {
        for number in 1...20 {
            let edit = try Program.sessionctl.start(["set", "a.json", "a", "\(number)"], in: folder)
            usleep(.random(in: 0...15_000))
            edit.send(SIGKILL)
            _ = try edit.end()
            #expect(try folder.sessionctl("check", "a.json").code == 0)
        }
        try folder.write(".a.json.sm-new-1", "{ \"a\"")
        #expect(try folder.sessionctl("set", "a.json", "b", "true") == Program.Result(code: 0))
        #expect(try folder.shell("ls -A").output == "a.json\n")
    }

    @Test("set merges missing keys from a displaced edit that a crash left beside the file")
    func displacedEdit() throws {
        try folder.write(".a.json.sm-displaced-1-1-1", "{ \"a\": 2, \"theirs\": [3] }")
        #expect(try folder.sessionctl("set", "a.json", "ours", "4") == Program.Result(code: 0))
        #expect(try folder.read("a.json") == "{ \"a\": 1, \"theirs\": [3], \"ours\": 4 }\n")
        #expect(try folder.shell("ls -A").output == "a.json\n")
    }

    @Test("A command fails while a displaced edit is invalid, and leaves it in place")
    func invalidDisplacedEdit() throws {
        try folder.write(".a.json.sm-displaced-1-1-1", "{ \"a\":")
        let result = try folder.sessionctl("unset", "a.json", "a")
        let location = folder.path(of: ".a.json.sm-displaced-1-1-1") + ": fix or remove that file"
        #expect(
            result
                == Program.Result(
                    code: 3,
                    messages:
                        "sessionctl: a.json: another program wrote invalid JSON during the save; it was kept in \(location)\n"
                ))
        #expect(try folder.read("a.json") == "{ \"a\": 1 }\n")
        #expect(try folder.read(".a.json.sm-displaced-1-1-1") == "{ \"a\":")
    }

    @Test("set waits for a program that has the file open and merges its change", .needs(.python3))
    func heldOpen() throws {
        let writer = try Programs.python3.program.start(
            [
                "-c",
                """
                import sys
                file = open("a.json", "r+")
                print("open", flush=True)
                sys.stdin.readline()
                file.write('{ "a": 1, "theirs": 2 }')
                """,
            ], in: folder, input: .lines)
        _ = try writer.line(with: "open")
        let edit = try Program.sessionctl.start(["set", "a.json", "ours", "3"], in: folder)
        try writer.say("write")
        #expect(try writer.end().code == 0)
        #expect(try edit.end() == Program.Result(code: 0))
        #expect(try folder.read("a.json") == "{ \"a\": 1, \"theirs\": 2, \"ours\": 3 }")
    }

    @Test("A write-protected file is not replaced even if its directory is writable") func writeProtected() throws {
        chmod(folder.path(of: "a.json"), 0o444)
        let unprivileged = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        let advice = "user \(geteuid()) needs write permission for the file, see chmod and chown"
        for edit in [
            "set a.json a 2", "set -n a.json a 2", "unset a.json a", "format a.json", "merge a.json a.json b.json",
        ] {
            try folder.write("b.json", "{ \"b\": 1 }")
            let result = try folder.shell(#"exec \#(unprivileged) "$0" \#(edit)"#)
            #expect(
                result == Program.Result(code: 3, messages: "sessionctl: a.json: Permission denied; \(advice)\n"))
        }
        #expect(try folder.read("a.json") == "{ \"a\": 1 }\n")
    }

    @Test("Replacing a file with hard links leaves the other names unchanged") func hardLinks() throws {
        #expect(link(folder.path(of: "a.json"), folder.path(of: "b.json")) == 0)
        #expect(try folder.sessionctl("set", "a.json", "a", "2") == Program.Result(code: 0))
        #expect(
            try folder.shell("cat a.json b.json; stat -c %h a.json b.json").output
                == "{ \"a\": 2 }\n{ \"a\": 1 }\n1\n1\n")
    }

    @Test("A path that is not a regular file is rejected without blocking") func notRegular() throws {
        #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try folder.createFolder("folder")
        for (name, reason) in [
            ("pipe", "Not a regular file but a pipe"), ("folder", "Is a directory"), ("", "No such file or directory"),
            ("/dev/null", "Not a regular file but a device"), ("a.json/x", "Not a directory"),
            (
                "none/a.json",
                "The directory \(folder.path(of: "none")) does not exist; create it with mkdir -p,"
                    + " or with the option --create"
            ),
        ] {
            let result = try folder.sessionctl("set", name, "a", "1")
            let title = name.isEmpty ? "\"\"" : name
            #expect(result == Program.Result(code: 3, messages: "sessionctl: \(title): \(reason)\n"))
        }
    }
}
