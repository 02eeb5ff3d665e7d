import Glibc
import TestSupport
import Testing

@Suite("System errors")
struct SystemErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("good.json", "{\"a\": 1}\n")
        try folder.write("bad.json", "[")
    }

    private func expectSystemError(_ path: String, _ reason: String) throws {
        let title = path.isEmpty ? "\"\"" : path
        let expected = Program.Result(code: 3, messages: "sessionctl: \(title): \(reason)\n")
        #expect(try folder.sessionctl("check", path) == expected)
        #expect(try folder.sessionctl("get", path, "a") == expected)
    }

    @Test("A missing file, a directory, a symbolic link loop and a read error are reported with their reason")
    func unreadable() throws {
        try #require(symlink("loop", folder.path(of: "loop")) == 0)
        try expectSystemError("missing.json", "No such file or directory")
        try expectSystemError("", "No such file or directory")
        try expectSystemError(".", "Is a directory")
        try expectSystemError("good.json/x", "Not a directory")
        try expectSystemError("loop", "Too many levels of symbolic links; follow the symbolic links with namei")
        try expectSystemError("/proc/self/mem", "Input/output error; see the kernel log with dmesg")
    }

    @Test("A file without read permission is reported with advice")
    func permission() throws {
        try #require(chmod(folder.path(of: "good.json"), 0) == 0)
        let unprivileged = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        let advice = "user \(geteuid()) needs read permission for the file, see chmod and chown"
        #expect(
            try folder.shell(#"exec \#(unprivileged) "$0" check good.json"#)
                == Program.Result(code: 3, messages: "sessionctl: good.json: Permission denied; \(advice)\n"))
    }

    @Test("A pipe and a device are rejected without blocking")
    func notRegular() throws {
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        let advice = "to read it, write - and redirect it to standard input"
        try expectSystemError("pipe", "Not a regular file but a pipe; \(advice)")
        try expectSystemError("/dev/zero", "Not a regular file but a device; \(advice)")
    }

    @Test("A full or closed standard output is reported")
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

    @Test("A broken pipe ends sessionctl without a message")
    func brokenPipe() throws {
        let elements = String(repeating: "1000000,", count: 100_000)
        try folder.write("long.json", "[\(elements) 1]")
        // More than the capacity of a pipe, so that the write blocks until the reader is gone.
        let result = try folder.shell(#"{ "$0" get long.json; echo $? >code; } | true"#)
        #expect(result == Program.Result(code: 0))
        #expect(try folder.read("code") == "3\n")
    }

    @Test("The exit code does not depend on whether messages can be written")
    func messagesLost() throws {
        for lost in ["2>&-", "2>/dev/full"] {
            #expect(try folder.shell(#"exec "$0" check bad.json \#(lost)"#) == Program.Result(code: 1))
            #expect(try folder.shell(#"exec "$0" check good.json \#(lost)"#) == Program.Result(code: 0))
            #expect(try folder.shell(#"exec "$0" bogus \#(lost)"#) == Program.Result(code: 2))
        }
    }

    @Test("No opened file takes the number of a closed standard descriptor", arguments: ["0<&-", "1>&-", "2>&-"])
    func closedDescriptor(closing: String) throws {
        // This file exists, with invalid JSON, only while the descriptor is open.
        let number = closing.prefix(1)
        #expect(try folder.shell(#"exec "$0" check /proc/self/fdinfo/\#(number) \#(closing)"#).code == 1)
    }

    @Test("A closed standard input is an error only if it is read")
    func closedInput() throws {
        #expect(try folder.shell(#"exec "$0" get good.json a <&-"#) == Program.Result(code: 0, output: "1\n"))
        #expect(
            try folder.shell(#"exec "$0" get - a <&-"#)
                == Program.Result(code: 3, messages: "sessionctl: <stdin>: Bad file descriptor\n"))
    }

    @Test("A directory as standard input is reported")
    func folderAsInput() throws {
        #expect(
            try folder.shell(#"exec "$0" check - <."#)
                == Program.Result(code: 3, messages: "sessionctl: <stdin>: Is a directory\n"))
    }
}
