import Glibc
import TestSupport
import Testing

@Suite("What the system refuses")
struct RefusalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("good.json", "{\"a\": 1}\n")
        try folder.write("bad.json", "[")
    }

    private func expectRefusal(_ path: String, _ reason: String) throws {
        let refusal = Program.Result(code: 3, messages: "sessionctl: \(path): \(reason)\n")
        #expect(try folder.sessionctl("check", path) == refusal)
        #expect(try folder.sessionctl("get", path, "a") == refusal)
    }

    @Test("a file that is missing, a folder, a path through a file, a link to itself, an error while reading")
    func unreadable() throws {
        try #require(symlink("loop", folder.path(of: "loop")) == 0)
        try expectRefusal("missing.json", "No such file or directory")
        try expectRefusal("", "No such file or directory")
        try expectRefusal(".", "Is a directory")
        try expectRefusal("good.json/x", "Not a directory")
        try expectRefusal("loop", "Too many levels of symbolic links; see where the symbolic links lead, with namei")
        try expectRefusal("/proc/self/mem", "Input/output error")
    }

    @Test("a file without permission, even for root when it has no more rights than others")
    func forbidden() throws {
        try #require(chmod(folder.path(of: "good.json"), 0) == 0)
        let asAnybody = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        let advice = "the user of this program must be allowed to read it and to enter each folder on its way"
        #expect(
            try folder.shell(#"exec \#(asAnybody) "$0" check good.json"#)
                == Program.Result(code: 3, messages: "sessionctl: good.json: Permission denied; \(advice)\n"))
    }

    @Test("what is not a regular file, without waiting for it")
    func notRegular() throws {
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try expectRefusal("pipe", "Not a regular file but a pipe")
        try expectRefusal("/dev/zero", "Not a regular file but a device")
    }

    @Test("an output that is full or closed")
    func output() throws {
        #expect(
            try folder.shell(#"exec "$0" get good.json >/dev/full"#)
                == Program.Result(code: 3, messages: "sessionctl: standard output: No space left on device\n"))
        #expect(
            try folder.shell(#"exec "$0" get good.json >&-"#)
                == Program.Result(code: 3, messages: "sessionctl: standard output: Bad file descriptor\n"))
        #expect(try folder.shell(#"exec "$0" --help >/dev/full"#).code == 3)
        #expect(try folder.shell(#"exec "$0" check --version >/dev/full"#).code == 3)
    }

    @Test("an output that nobody reads ends the program without a word")
    func brokenPipe() throws {
        let elements = String(repeating: "1000000,", count: 100_000)
        try folder.write("long.json", "[\(elements) 1]")
        // more than a pipe holds, so that the write cannot be over before its reader is gone
        let result = try folder.shell(#"{ "$0" get long.json; echo $? >code; } | true"#)
        #expect(result == Program.Result(code: 0))
        #expect(try folder.read("code") == "3\n")
    }

    @Test("messages that nobody can read change nothing about the answer")
    func messagesLost() throws {
        for lost in ["2>&-", "2>/dev/full"] {
            #expect(try folder.shell(#"exec "$0" check bad.json \#(lost)"#) == Program.Result(code: 1))
            #expect(try folder.shell(#"exec "$0" check good.json \#(lost)"#) == Program.Result(code: 0))
            #expect(try folder.shell(#"exec "$0" bogus \#(lost)"#) == Program.Result(code: 2))
        }
    }

    @Test("no file takes the place of a standard descriptor that is closed", arguments: ["0<&-", "1>&-", "2>&-"])
    func closedDescriptor(closing: String) throws {
        // A file that is there, though no JSON, only while the descriptor is open.
        let number = closing.prefix(1)
        #expect(try folder.shell(#"exec "$0" check /proc/self/fdinfo/\#(number) \#(closing)"#).code == 1)
    }

    @Test("a standard input that is closed, but only when it is needed")
    func closedInput() throws {
        #expect(try folder.shell(#"exec "$0" get good.json a <&-"#) == Program.Result(code: 0, output: "1\n"))
        #expect(
            try folder.shell(#"exec "$0" get - a <&-"#)
                == Program.Result(code: 3, messages: "sessionctl: <stdin>: Bad file descriptor\n"))
    }

    @Test("a folder as standard input")
    func folderAsInput() throws {
        #expect(
            try folder.shell(#"exec "$0" check - <."#)
                == Program.Result(code: 3, messages: "sessionctl: <stdin>: Is a directory\n"))
    }
}
