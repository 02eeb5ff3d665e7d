import Glibc
import SessionMirror
import TestSupport
import Testing

@Suite("Starting child processes") struct ChildProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a script, and returns its output.
    private func output(
        of script: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        setting variables: [String: String?] = [:]
    ) throws -> String {
        let file = try Descriptor.open(folder.path(of: "output"), O_RDWR | O_CREAT | O_TRUNC)
        defer { close(file) }
        let process = try ChildProcess.spawn(
            "/bin/sh", ["-c", script, "sh"] + arguments, environment: environment, settingVariables: variables,
            standardInput: file, standardOutput: file, standardError: file)
        #expect(status(of: process) == 0)
        return try folder.read("output")
    }

    private func status(of process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    @Test("A child process gets its arguments verbatim and the given environment")
    func arguments() throws {
        let words = ["", "two words", "$HOME", "a\nb", "ü"]
        #expect(try output(of: #"printf '<%s>' "$@""#, words) == words.map { "<\($0)>" }.joined())
        #expect(try output(of: "echo $A $HOME", environment: ["A": "1"]) == "1\n")
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        #expect(try output(of: "echo $PATH") == path + "\n")
    }

    @Test("Variables are set or removed in the environment of this process, or in the given one")
    func variables() throws {
        setenv("SESSIONMIRROR_TEST_OLD", "old", 1)
        defer { unsetenv("SESSIONMIRROR_TEST_OLD") }
        let script = "echo ${SESSIONMIRROR_TEST_OLD-none} $SESSIONMIRROR_TEST_NEW ${PATH:+path}"
        let set = ["SESSIONMIRROR_TEST_NEW": "new"]
        #expect(try output(of: script, setting: set) == "old new path\n")
        #expect(try output(of: script, setting: ["SESSIONMIRROR_TEST_OLD": nil]) == "none path\n")
        #expect(try output(of: script, setting: ["SESSIONMIRROR_TEST_OLD": "x"]) == "x path\n")
        let given = ["SESSIONMIRROR_TEST_OLD": "given", "PATH": ""]
        #expect(try output(of: script, environment: given, setting: set) == "given new\n")
        #expect(throws: ChildProcessError.self) { try ChildProcess.spawn("true", settingVariables: ["A": "\0"]) }
    }

    @Test("A child process leads a group of its own on request")
    func group() throws {
        for isLeader in [false, true] {
            let process = try ChildProcess.spawn("sleep", ["60"], inNewGroup: isLeader)
            #expect(getpgid(process) == (isLeader ? process : getpgrp()))
            kill(isLeader ? -process : process, SIGTERM)
            #expect(status(of: process) == SIGTERM)
        }
    }

    @Test("A child process inherits exactly the three given descriptors")
    func descriptors() throws {
        let (one, two) = (folder.path(of: "1"), folder.path(of: "2"))
        let first = try Descriptor.open(one, O_RDWR | O_CREAT)
        let second = try Descriptor.open(two, O_RDWR | O_CREAT)
        defer { for descriptor in [first, second] { close(descriptor) } }
        // Not close-on-exec, like descriptors of some other libraries.
        let stray = dup(first)
        defer { close(stray) }
        let process = try ChildProcess.spawn(
            "/bin/sh", ["-c", "echo out; echo error >&2; ls /proc/self/fd >&2"], standardInput: first,
            standardOutput: second, standardError: first)
        #expect(status(of: process) == 0)
        #expect(try folder.read("2") == "out\n")
        // `ls` has the directory open.
        #expect(try folder.read("1") == "error\n0\n1\n2\n3\n")
    }

    @Test("Standard output and standard error of a child process can be exchanged")
    func exchanged() throws {
        let probe = try Program.built("SessionProbe").run(["launch", "exchanged"], in: folder)
        #expect(probe.output == "error\n" && probe.messages == "out\n")
    }

    @Test("A child process blocks no signal and ignores only those that it is told to")
    func signals() throws {
        let result = try Program.built("SessionProbe").run(["launch", "ignoring"], in: folder)
        #expect(
            result.output.split(separator: "\n") == [
                "clean true, ignores SIGHUP false", "clean false, ignores SIGHUP true",
            ])
    }

    @Test("A program that cannot be started throws the error of the system")
    func refused() throws {
        try folder.write("plain", "no program")
        for (program, number) in [
            ("/nowhere/at/all", ENOENT), ("no-program-of-this-name", ENOENT), (folder.path(of: "plain"), EACCES),
            ("/bin/s\0h", EINVAL),
        ] {
            #expect(throws: ChildProcessError.self) { try ChildProcess.spawn(program) }
            do { _ = try ChildProcess.spawn(program) } catch { #expect(error.errorNumber == number) }
        }
        #expect(throws: ChildProcessError.self) { try ChildProcess.spawn("true", standardOutput: 987_654) }
        do {
            try ChildProcess.spawn("/nowhere/at/all")
        } catch {
            #expect("\(error)" == "/nowhere/at/all cannot be started: No such file or directory")
        }
    }
}
