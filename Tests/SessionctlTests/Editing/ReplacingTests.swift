import Glibc
import TestSupport
import Testing

@Suite("The file that sessionctl edits")
struct ReplacingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{ \"a\": 1 }\n")
    }

    @Test("loses nothing of what two of them change at the same time") func together() throws {
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

    @Test("is whole after they were killed, and nothing is left beside it after the next one") func killed() throws {
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

    @Test("gets what a crash has pushed aside: keys that it has not") func rescued() throws {
        try folder.write(".a.json.sm-late-1-1-1", "{ \"a\": 2, \"theirs\": [3] }")
        #expect(try folder.sessionctl("set", "a.json", "ours", "4") == Program.Result(code: 0))
        #expect(try folder.read("a.json") == "{ \"a\": 1, \"theirs\": [3], \"ours\": 4 }\n")
        #expect(try folder.shell("ls -A").output == "a.json\n")
    }

    @Test("is left alone while what was pushed aside is no JSON, which stays") func unreadable() throws {
        try folder.write(".a.json.sm-late-1-1-1", "{ \"a\":")
        let result = try folder.sessionctl("unset", "a.json", "a")
        let place = folder.path(of: ".a.json.sm-late-1-1-1") + ": put it right, or remove it"
        #expect(
            result
                == Program.Result(
                    code: 3,
                    messages: "sessionctl: a.json: another program wrote meanwhile what is no JSON; it is \(place)\n"))
        #expect(try folder.read("a.json") == "{ \"a\": 1 }\n")
        #expect(try folder.read(".a.json.sm-late-1-1-1") == "{ \"a\":")
    }

    @Test("keeps an edit that is finished while they wait for it", .needs(.python3)) func heldOpen() throws {
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

    @Test("that is protected against writing stays as it is, though its folder is not") func writeProtected() throws {
        chmod(folder.path(of: "a.json"), 0o444)
        let asAnybody = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        let advice = "the user of this program must be allowed to write to it, see chmod"
        for edit in ["set a.json a 2", "unset a.json a", "format a.json", "merge a.json a.json b.json"] {
            try folder.write("b.json", "{ \"b\": 1 }")
            let result = try folder.shell(#"exec \#(asAnybody) "$0" \#(edit)"#)
            #expect(
                result == Program.Result(code: 3, messages: "sessionctl: a.json: Permission denied; \(advice)\n"))
        }
        #expect(try folder.read("a.json") == "{ \"a\": 1 }\n")
    }

    @Test("keeps its other names as they were, and is one of its own") func hardLinks() throws {
        #expect(link(folder.path(of: "a.json"), folder.path(of: "b.json")) == 0)
        #expect(try folder.sessionctl("set", "a.json", "a", "2") == Program.Result(code: 0))
        #expect(
            try folder.shell("cat a.json b.json; stat -c %h a.json b.json").output
                == "{ \"a\": 2 }\n{ \"a\": 1 }\n1\n1\n")
    }

    @Test("must be one: pipes, folders and devices are refused without waiting for them") func special() throws {
        #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try folder.createFolder("folder")
        for (name, reason) in [
            ("pipe", "Not a regular file but a pipe"), ("folder", "Is a directory"), ("", "No such file or directory"),
            ("/dev/null", "Not a regular file but a device"), ("a.json/x", "Not a directory"),
            ("none/a.json", "No such file or directory"),
        ] {
            let result = try folder.sessionctl("set", name, "a", "1")
            #expect(result == Program.Result(code: 3, messages: "sessionctl: \(name): \(reason)\n"))
        }
    }
}
