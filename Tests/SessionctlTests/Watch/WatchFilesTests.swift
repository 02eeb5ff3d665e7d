import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl watch with several files") struct WatchFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", #"{"n": 1}"#)
        try folder.put("b.json", #"{"n": 1}"#)
    }

    @Test("watch prints the changes of each file with its name") func lines() throws {
        let watch = try WatchProcess("a.json", "b.json", "--count", "3", in: folder)
        #expect(try watch.line() == "a.json: watching")
        #expect(try watch.line() == "b.json: watching")
        for (name, number) in [("b.json", 2), ("a.json", 2), ("b.json", 3)] {
            try folder.put(name, #"{"n": \#(number)}"#)
            #expect(try watch.line() == "\(name):1: n: \(number - 1) → \(number)")
        }
        try watch.end(code: 0)
    }

    @Test("watch --json adds the name of the file to each object") func objects() throws {
        let watch = try WatchProcess("--json", "a.json", "b.json", in: folder)
        func event() throws -> JSON { try JSON(parsing: watch.line()) }
        for name in ["a.json", "b.json"] {
            #expect(try event() == ["event": "initial", "file": JSON(name), "version": 1, "value": ["n": 1]])
        }
        try folder.put("b.json", "{")
        let problem = try event()
        #expect(problem["event"] == "problem" && problem["file"] == "b.json")
        #expect(try event() == ["event": "status", "file": "b.json", "watching": "live", "content": "invalid"])
        try folder.put("a.json", #"{"n": 2}"#)
        let change = try event()
        #expect(change["event"] == "change" && change["file"] == "a.json")
        #expect(change["changes"] == [["path": "/n", "old": 1, "new": 2, "line": 1]])
    }

    @Test(
        "A further operand is a file if it exists or is named like a JSON file",
        arguments: ["settings", "new.json", "new.jsonc", "conf/settings", "conf/new.json"])
    func files(name: String) throws {
        try folder.createFolder("conf")
        for name in ["settings", "conf/settings"] { try folder.put(name, "{}") }
        let watch = try WatchProcess("a.json", name, in: folder)
        #expect(try watch.line() == "a.json: watching")
        #expect(try watch.line() == "\(name): watching")
        if name.contains("new") { #expect(try watch.line() == "\(name): no such file; waiting for it") }
        try folder.put(name, #"{"n": 1}"#)
        if name.contains("new") { #expect(try watch.line() == "\(name): the file exists") }
        #expect(try watch.line() == "\(name):1: n: (none) → 1")
    }

    @Test(
        "Any other operand and --at are paths, in all files",
        arguments: [
            ["n", "/x"], ["--at", "n", "--at=/x"], ["n", "--at", "x"],
        ])
    func paths(arguments: [String]) throws {
        try folder.createFolder("n")
        let watch = try Program.sessionctl.start(["watch", "a.json", "b.json"] + arguments, in: folder)
        for name in ["a.json", "b.json"] { #expect(try watch.line() == "\(name): watching n, x") }
        for name in ["a.json", "b.json"] {
            try folder.put(name, #"{"y": 1, "n": 2}"#)
            #expect(try watch.line() == "\(name):1: n: 1 → 2")
        }
    }

    @Test("--at makes a path of the name of a file") func pathLikeFile() throws {
        try folder.put("n", "1")
        let watch = try WatchProcess("a.json", "--at", "n", "--at", "b.json", in: folder)
        #expect(try watch.line() == "a.json: watching n, b.json")
        try folder.put("a.json", #"{"n": 2}"#)
        #expect(try watch.line() == "a.json:1: n: 1 → 2")
    }

    @Test("A file that is named twice is watched once") func twice() throws {
        let watch = try WatchProcess("a.json", "a.json", "--count", "1", in: folder)
        #expect(try watch.line() == "a.json: watching")
        try folder.put("a.json", #"{"n": 2}"#)
        #expect(try watch.line() == "a.json:1: n: 1 → 2")
        try watch.end(code: 0)
    }

    @Test("watch --until waits until all files have the value") func until() throws {
        let watch = try WatchProcess("a.json", "b.json", "--until", "n=2", in: folder)
        for name in ["a.json", "b.json"] { #expect(try watch.line() == "\(name): watching") }
        for name in ["b.json", "a.json"] {
            try folder.put(name, #"{"n": 2}"#)
            #expect(try watch.line() == "\(name):1: n: 1 → 2")
        }
        try watch.end(code: 0)
    }

    @Test("The message after a timeout names the file that lacks the value, or the number of files") func timeout()
        throws
    {
        try folder.put("a.json", #"{"n": 2}"#)
        let until = try folder.sessionctl("watch", "a.json", "b.json", "--until", "n=2", "--timeout", "0")
        #expect(until.code == 1 && until.messages == "sessionctl: b.json: after 0 s: n is 1, not 2\n")
        let plain = try folder.sessionctl("watch", "a.json", "b.json", "--timeout", "0")
        #expect(plain.code == 1 && plain.messages == "sessionctl: 2 files: timed out after 0 s\n")
    }
}
