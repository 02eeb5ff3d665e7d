import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch with directories") struct WatchDirectoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("conf")
        try folder.put("conf/b.json", #"{"n": 1}"#)
        try folder.put("conf/a.jsonc", #"{"n": 1}"#)
    }

    /// Starts a watch of the directory, and checks that it watches both files.
    private func start(_ arguments: String...) throws -> RunningProgram {
        let watch = try Program.sessionctl.start(["watch"] + (arguments.isEmpty ? ["conf"] : arguments), in: folder)
        for name in ["a.jsonc", "b.json"] { #expect(try watch.line() == "conf/\(name): watching") }
        return watch
    }

    @Test("The JSON files of a directory are watched, and no others") func files() throws {
        for name in [".hidden.json", "c.txt", "d.json~"] { try folder.put("conf/\(name)", "{}") }
        try folder.createFolder("conf/folder.json")
        try #require(mkfifo(folder.path(of: "conf/fifo.json"), 0o600) == 0)
        let watch = try start()
        try folder.put("conf/b.json", #"{"n": 2}"#)
        #expect(try watch.line() == "conf/b.json:1: n: 1 → 2")
        try folder.put("conf/a.jsonc", #"{"n": 3}"#)
        #expect(try watch.line() == "conf/a.jsonc:1: n: 1 → 3")
    }

    @Test("Files that appear are watched, and all their values are changes") func newFiles() throws {
        let watch = try start()
        try folder.put("conf/c.json", #"{"n": 1}"#)
        #expect(try watch.line() == "conf/c.json: watching")
        #expect(try watch.line() == "conf/c.json:1: n: (none) → 1")
        try folder.put("conf/c.json", #"{"n": 2}"#)
        #expect(try watch.line() == "conf/c.json:1: n: 1 → 2")
        try folder.put("conf/b.json", #"{"n": 2}"#)
        #expect(try watch.line() == "conf/b.json:1: n: 1 → 2")
    }

    @Test("A file that is created in steps is watched") func createdInSteps() throws {
        let watch = try start()
        let script = try Program.shell.start(
            ["-c", "exec >conf/c.json; printf '{'; until test -e go; do sleep 0.01; done; printf '\"n\": 1}'"],
            in: folder)
        #expect(try watch.line() == "conf/c.json: watching")
        try folder.write("go", "")
        #expect(try watch.line(with: " → ") == "conf/c.json:1: n: (none) → 1")
        #expect(try script.end().code == 0)
    }

    @Test("A removed file is reported, and watched when it comes back") func removed() throws {
        let watch = try start()
        try folder.remove("conf/b.json")
        #expect(try watch.line() == "conf/b.json: no such file; waiting for it")
        try folder.put("conf/b.json", #"{"n": 2}"#)
        #expect(try watch.line() == "conf/b.json: the file exists")
        #expect(try watch.line() == "conf/b.json:1: n: 1 → 2")
    }

    @Test("A directory that is replaced by another one is watched") func replaced() throws {
        try folder.createFolder("new")
        try folder.put("new/c.json", #"{"n": 1}"#)
        for name in ["a.jsonc", "b.json"] { try folder.put("new/\(name)", #"{"n": 1}"#) }
        let watch = try start()
        try folder.rename("conf", to: "old")
        try folder.rename("new", to: "conf")
        #expect(try watch.line(with: "c.json") == "conf/c.json: watching")
        #expect(try watch.line(with: " → ") == "conf/c.json:1: n: (none) → 1")
        try folder.put("conf/d.json", "{}")
        #expect(try watch.line(with: "d.json") == "conf/d.json: watching")
    }

    @Test("A directory that is reached through a link which gets another target is watched") func link() throws {
        try folder.createFolder("v1")
        try folder.put("v1/a.json", #"{"n": 1}"#)
        try folder.createFolder("v2")
        for name in ["a", "b"] { try folder.put("v2/\(name).json", #"{"n": 2}"#) }
        #expect(try folder.shell("ln -s v1 current").code == 0)
        let watch = try Program.sessionctl.start(["watch", "current"], in: folder)
        #expect(try watch.line() == "current/a.json: watching")
        #expect(try folder.shell("ln -s v2 next; mv -T next current").code == 0)
        var lines: Set<String> = []
        for _ in 1...3 { lines.insert(try watch.line() ?? "") }
        #expect(
            lines == ["current/a.json:1: n: 1 → 2", "current/b.json: watching", "current/b.json:1: n: (none) → 2"])
    }

    @Test("A directory that has lost its name is watched no longer") func formerDirectories() throws {
        let watch = try start()
        let (process, count) = (watch.identifier, 20)
        func watches() throws -> Int {
            let lines = try folder.shell("cat /proc/\(process)/fdinfo/* | grep ^inotify").output
            return lines.split(separator: "\n").count
        }
        let before = try watches()
        for number in 1...count {
            try folder.createFolder("new")
            try folder.put("new/c\(number).json", "{}")
            try folder.rename("conf", to: "old\(number)")
            try folder.rename("new", to: "conf")
            #expect(try watch.line(with: "c\(number).json: w") == "conf/c\(number).json: watching")
        }
        try eventually("the former directories are not watched") { try watches() < before + count / 2 }
    }

    @Test("Directories and files are watched together; a further operand is a directory if it ends in a slash")
    func mixed() throws {
        try folder.put("z.json", #"{"n": 1}"#)
        let watch = try Program.sessionctl.start(["watch", "z.json", "conf/", "n"], in: folder)
        for name in ["z.json", "conf/a.jsonc", "conf/b.json"] { #expect(try watch.line() == "\(name): watching n") }
        try folder.put("conf/b.json", #"{"m": 1, "n": 2}"#)
        #expect(try watch.line() == "conf/b.json:1: n: 1 → 2")
        try folder.put("z.json", #"{"n": 3}"#)
        #expect(try watch.line() == "z.json:1: n: 1 → 3")
    }

    @Test("--json names each file, and begins with the value of each, also of a new one") func json() throws {
        let watch = try Program.sessionctl.start(["watch", "conf", "--json"], in: folder)
        func event() throws -> JSON { try JSON(parsing: #require(try watch.line())) }
        for name in ["a.jsonc", "b.json"] {
            #expect(try event() == ["event": "initial", "file": JSON("conf/\(name)"), "version": 1, "value": ["n": 1]])
        }
        try folder.put("conf/c.json", #"{"n": 2}"#)
        #expect(try event() == ["event": "initial", "file": "conf/c.json", "version": 1, "value": ["n": 2]])
        try folder.put("conf/c.json", #"{"n": 3}"#)
        let change = try event()
        #expect(change["file"] == "conf/c.json" && change["changes"]?[0]?["old"] == 2)
    }

    @Test("--until waits for a file in an empty directory") func emptyDirectory() throws {
        try folder.createFolder("empty")
        let watch = try Program.sessionctl.start(
            ["watch", "empty", "--until", "n=2", "--timeout", "60"], in: folder)
        try eventually("the file is noticed") {
            try folder.put("empty/a.json", #"{"n": 2}"#)
            return (try? watch.line(within: .milliseconds(100))) == "empty/a.json: watching"
        }
        #expect(try watch.end().code == 0)
    }

    @Test("--exec is run for changes in any file of the directory") func exec() throws {
        let watch = try Program.sessionctl.start(
            ["watch", "conf", "--exec", "--", "/bin/sh", "-c", "echo $SESSION_FILE $SESSION_OLD $SESSION_NEW"],
            in: folder)
        try eventually("the files are watched") { try watch.readMessages().contains("conf/b.json: watching") }
        try folder.put("conf/b.json", #"{"n": 2}"#)
        #expect(try watch.line() == "conf/b.json 1 2")
        try folder.put("conf/c.json", #"{"n": 7}"#)
        #expect(try watch.line() == "conf/c.json 7")
    }

    @Test("A missing directory, named by a slash at the end, is an error") func missing() throws {
        let result = try folder.sessionctl("watch", "none/", "--timeout", "0")
        #expect(result.code == 3 && result.messages == "sessionctl: none/: No such file or directory\n", "\(result)")
    }

    @Test("A directory that cannot be read is an error at the beginning", .needs(.setpriv)) func unreadable() throws {
        try #require(chmod(folder.path(of: "conf"), 0o311) == 0)
        let unprivileged = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        let result = try folder.shell(#"\#(unprivileged) "$0" watch conf"#)
        #expect(result == Program.Result(code: 3, messages: "sessionctl: conf: Permission denied\n"))
    }

    @Test("--poll finds new files without events") func polled() throws {
        let watch = try Program.sessionctl.start(["watch", "conf", "--poll"], in: folder)
        for name in ["a.jsonc", "b.json"] { #expect(try watch.line(with: "watching") == "conf/\(name): watching") }
        try folder.put("conf/c.json", #"{"n": 1}"#)
        #expect(try watch.line(with: "c.json: watching") == "conf/c.json: watching")
        #expect(try watch.line(with: " → ") == "conf/c.json:1: n: (none) → 1")
    }
}
