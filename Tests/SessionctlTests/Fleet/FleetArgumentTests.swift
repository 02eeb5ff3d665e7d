import TestSupport
import Testing

@Suite("Arguments of sessionctl bridge and fleet")
struct FleetArgumentTests {
    private let folder: TemporaryFolder
    private static let store = ["--etcd=http://127.0.0.1:1", "--key=k"]

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "bridge rejects invalid arguments with a message and the usage",
        arguments: [
            (["--key=k", "--etcd=e:1"], "FILE is missing"),
            (["--key=k", "--etcd=e:1", ""], "FILE is empty"),
            (
                ["--key=k", "--etcd=e:1", "-"],
                "standard input (-) cannot be synchronized; a file of that name is ./-"
            ),
            (["--key=k", "a.json"], "--etcd is missing; SESSIONMIRROR_ETCD is not set either"),
            (
                ["--key=k", "--etcd=ftp://e", "a.json"],
                "--etcd: \"ftp://e\" is not a URL like http://etcd:2379"
            ),
            (["--etcd=e:1", "a.json"], "--key is missing"),
            (["--etcd=e:1", "--key=", "a.json"], "--key needs a value: --key=KEY"),
            (store + ["--local=", "a.json"], "--local: the whole value cannot be local to this machine"),
            (store + ["--local=a..b", "a.json"], "PATH: \"a..b\" contains an empty name; write an empty key as /a//b"),
            (store + ["--conflicts=file", "a.json"], "--conflicts: \"file\" is not fleet or machine"),
            (store + ["--deleted-key=", "a.json"], "--deleted-key: \"\" is not keep or recreate"),
            (store + ["--machine=", "a.json"], "--machine needs a value: --machine=NAME"),
            (store + ["--conflict", "fleet", "a.json", "b.json"], "unexpected argument b.json"),
        ])
    func invalid(arguments: [String], message: String) throws {
        let result = try Program.sessionctl.run(["bridge"] + arguments, in: folder)
        let usage = "usage: sessionctl bridge [OPTION…] FILE\nmore: sessionctl bridge --help\n"
        #expect(result == Program.Result(code: 2, messages: "sessionctl: \(message)\n\(usage)"))
    }

    @Test("Words, paths of the file and the task are completed") func completion() throws {
        func words(_ line: String) throws -> [String] {
            try folder.candidates("fish", "sessionctl \(line)").map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try words("bridge a.json --conflicts=") == ["--conflicts=fleet", "--conflicts=machine"])
        #expect(try words("bridge a.json --deleted-key r") == ["recreate"])
        try folder.write("a.json", #"{"http": {"address": "0.0.0.0"}}"#)
        #expect(try words("bridge a.json --local=http.") == ["--local=http.address"])
        #expect(try words("fleet ") == ["status"])
    }

    @Test("fleet rejects what is not status") func task() throws {
        let result = try folder.sessionctl("fleet", "statsu", "--key=k", "--etcd=e:1")
        #expect(result.code == 2)
        #expect(result.messages.hasPrefix("sessionctl: unknown argument statsu; did you mean status?\n"))
        #expect(try folder.sessionctl("fleet").messages.hasPrefix("sessionctl: status is missing\n"))
    }

    @Test("The program rejects endpoints and credentials that cannot be used") func options() throws {
        let noPort = try folder.sessionctl("fleet", "status", "--key=k", "--etcd=etcd.example")
        #expect(noPort.code == 2 && noPort.messages.hasPrefix("sessionctl: the endpoint \"etcd.example\" has no port"))
        try folder.write("login", "user:secret\n")
        _ = try folder.shell("chmod 644 login")
        let open = try folder.sessionctl("fleet", "status", "--key=k", "--etcd=e:1", "--credentials=login")
        #expect(open.code == 2 && open.messages.contains("run chmod 600"), "\(open)")
        for option in ["--ca", "--cert", "--cert-key"] {
            let missing = try folder.sessionctl("bridge", "a.json", "--key=k", "--etcd=e:1", "\(option)=none.pem")
            #expect(missing == Program.Result(code: 3, messages: "sessionctl: none.pem: No such file or directory\n"))
        }
        _ = try folder.shell("chmod 600 login")
        let alone = try folder.sessionctl("fleet", "status", "--key=k", "--etcd=e:1", "--cert-key=login")
        #expect(alone.code == 2 && alone.messages.contains("needs the file of the certificate"), "\(alone)")
    }

    @Test("A file in a missing directory, and a directory, are errors") func directories() throws {
        func run(_ file: String) throws -> Program.Result {
            try Program.sessionctl.run(["bridge", file] + Self.store, in: folder)
        }
        #expect(
            try run("no/a.json") == Program.Result(code: 3, messages: "sessionctl: no: No such file or directory\n"))
        try folder.createFolder("sub")
        #expect(try run("sub") == Program.Result(code: 3, messages: "sessionctl: sub: Is a directory\n"))
        try folder.write("file", "{}")
        #expect(try run("file/a.json") == Program.Result(code: 3, messages: "sessionctl: file: Not a directory\n"))
    }
}

/// A copy of sessionctl as it is installed, with a script in place of the other program.
@Suite("The program that bridge and fleet run")
struct FleetProgramTests {
    private let folder: TemporaryFolder
    private var program: Program { Program(folder.path(of: "bin/sessionctl")) }

    init() throws {
        folder = try TemporaryFolder()
        #expect(try folder.shell("mkdir -p bin libexec/sessionctl && cp \"$0\" bin/sessionctl").code == 0)
    }

    private func install(_ name: String, _ script: String) throws {
        try folder.write(name, "#!/bin/sh\n\(script)\n")
        #expect(try folder.shell("chmod 755 \(name)").code == 0)
    }

    @Test("If it is missing, the message says what provides it") func missing() throws {
        for command in [["bridge", "a.json"], ["fleet", "status"]] {
            let result = try program.run(command + ["--key=k", "--etcd=e:1"], in: folder)
            let name = command[0] == "fleet" ? "fleet status" : "bridge"
            let message =
                "sessionctl: \(name) needs the program sessionctl-fleet, which is not installed: install the"
                + " package sessionctl-fleet, or run \"make install\"\n"
            #expect(result == Program.Result(code: 3, messages: message))
        }
        try folder.write("bin/sessionctl-fleet", "")
        let result = try program.run(["fleet", "status", "--key=k", "--etcd=e:1"], in: folder)
        #expect(result.code == 3 && result.messages.hasSuffix("bin/sessionctl-fleet: Permission denied\n"), "\(result)")
    }

    @Test("It receives each option as name=value, and its streams and exit code are those of the command")
    func arguments() throws {
        try install("libexec/sessionctl/sessionctl-fleet", #"printf '<%s>' "$@"; cat; echo problem >&2; exit 41"#)
        let arguments = [
            "bridge", "a b=c.json", "--local", "http.port", "--local=/a~1b", "--mach=x=1", "--conflicts=machine",
            "--deleted-key", "recreate", "--state=st", "--json", "--redact=users.*.token", "--key", "/k",
            "--etcd=http://a:1", "--etcd", "b:2",
        ]
        let result = try program.run(arguments, in: folder, input: .bytes(Array("input".utf8)))
        let words = [
            "bridge", "file=a b=c.json", "etcd=http://a:1", "etcd=b:2", "key=/k", "local=/http/port", "local=/a~1b",
            "redact=users.*.token", "machine=x=1", "conflicts=machine", "deleted-key=recreate", "state=st", "json=yes",
        ]
        #expect(
            result
                == Program.Result(
                    code: 41, output: words.map { "<\($0)>" }.joined() + "input", messages: "problem\n"))
    }

    @Test("SESSIONMIRROR_ETCD has the endpoints that are not given") func environment() throws {
        try install("libexec/sessionctl/sessionctl-fleet", #"printf '<%s>' "$@""#)
        let environment = ["SESSIONMIRROR_ETCD": "http://a:1,b:2"]
        let none = try program.run(["fleet", "status", "--key=k"], in: folder, environment: environment)
        #expect(none.output == "<status><etcd=http://a:1><etcd=b:2><key=k>")
        let given = try program.run(["fleet", "status", "--key=k", "--etcd=c:3"], in: folder, environment: environment)
        #expect(given.output == "<status><etcd=c:3><key=k>")
    }

    @Test("The program beside sessionctl is preferred, as in a build") func beside() throws {
        try install("libexec/sessionctl/sessionctl-fleet", "echo installed")
        try install("bin/sessionctl-fleet", "echo built")
        let result = try program.run(["fleet", "status", "--key=k", "--etcd=c:3"], in: folder)
        #expect(result == Program.Result(code: 0, output: "built\n"))
    }

    @Test("It does not run without sessionctl") func direct() throws {
        for arguments in [[], ["bridge"], ["bridge", "file"], ["status", "other=1"], ["other"]] {
            let result = try Program.built("sessionctl-fleet").run(arguments, in: folder)
            #expect(result.code == 3 && result.messages.contains("write \"sessionctl bridge\""), "\(result)")
        }
    }
}
