import Glibc
import TestSupport
import Testing

/// The candidates that the program prints for the scripts.
@Suite("Candidates for completion") struct CandidateTests {
    private let folder: TemporaryFolder
    private static let breaks = "\"'><=;|&(:"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "a.json",
            #"""
            {
              // A comment.
              "http": {"port": 8080, "host": "local host", "tls": {"on": true}, "v1.0": 1}, "list": [10, {"x": 1}],
              "a.b": 1, "": 2, "*": 3, "/s": {"~": 1}, "$(x)": 4, "none": {}, "secret": "s3", "\u0007": 5, "\u202e": 6,
            }
            """#)
    }

    /// The candidates without descriptions.
    private func words(_ line: String) throws -> [String] {
        try folder.candidates("fish", "sessionctl \(line)").map { String($0.prefix { $0 != "\t" }) }
    }

    private func bash(_ line: String) throws -> [String] { try folder.candidates("bash", line, breaks: Self.breaks) }

    @Test(
        "Paths are completed key by key",
        arguments: [
            ("get a.json h", ["http."]), ("get a.json http.t", ["http.tls."]),
            ("get a.json http.tls.", ["http.tls.on"]),
            ("get a.json li", ["list."]), ("get a.json list.", ["list.0", "list.1."]),
            ("get a.json list.1.", ["list.1.x"]),
            ("get a.json /h", ["/http/"]), ("get a.json /http/v", ["/http/v1.0"]), ("get a.json //", []),
            ("get a.json no", ["none"]), ("get a.json none.", []), ("get a.json http.port.", []), ("get a.json x", []),
            ("get a.json .", []), ("get a.json http..", []), ("get a.json http.port h", ["http."]),
            ("get --redact list a.json h", ["http."]), ("get -r a.json -- h", ["http."]),
            ("get a.json --redact h", ["http."]),
            ("keys a.json h", ["http."]), ("unset a.json h", ["http."]), ("add a.json h", ["http."]),
            ("add a.json http.port ", []), ("keys a.json http h", []), ("watch a.json --at=h", ["--at=http."]),
            ("watch a.json log h", ["http."]), ("watch --exec a.json -- h", []),
        ])
    func paths(line: String, expected: [String]) throws { #expect(try words(line) == expected) }

    @Test(
        "Keys without a dotted form are offered in the form of RFC 6901",
        arguments: [
            ("get a.json a", ["/a.b"]), ("get a.json a.", ["/a.b"]), ("get a.json http.v1.", ["/http/v1.0"]),
            ("set a.json /", ["/http/", "/list/", "/a.b", "/", "/*", "/~1s/", "/$(x)", "/none", "/secret"]),
            ("get a.json /~", ["/~2", "/~1s/"]), ("get a.json /~1s/", ["/~1s/~0"]),
        ])
    func pointers(line: String, expected: [String]) throws { #expect(try words(line) == expected) }

    @Test("A key that would be read as an option is offered in the form of RFC 6901") func dash() throws {
        try folder.write("dash.json", #"{"-x": {"-y": 1}, "a": {"-z": 2}}"#)
        #expect(try words("get dash.json ") == ["a.", "/-x/"])
        #expect(try words("get dash.json a.") == ["a.-z"])
    }

    @Test("An asterisk in a path of get stands for every key") func wildcards() throws {
        try folder.write("b.json", #"{"u": {"a": {"x": 1, "y": 1}, "b": {"x": 2}}}"#)
        #expect(try words("get b.json 'u.*.") == ["u.*.x", "u.*.y"])
        #expect(try words("get b.json --redact 'u.*.") == ["u.*.x", "u.*.y"])
        #expect(try words("keys b.json 'u.*.") == [])
    }

    @Test(
        "set and --until complete a path, and then the current value",
        arguments: [
            ("set a.json http.p", ["http.port"]), ("set a.json http.port ", ["8080"]),
            ("set a.json http.port 8080 h", []),
            ("set a.json http.port=", ["http.port=8080"]), ("set a.json a=1 http.p", ["http.port="]),
            ("set a.json http.host=", ["http.host=\"local host\""]), ("set -s a.json http.host ", ["local host"]),
            ("set a.json http.tls.on=", ["http.tls.on=true", "http.tls.on=false"]), ("set a.json http=", []),
            ("set a.json --redact secret secret=", []), ("set a.json x=", []), ("set --from=x a.json http.port ", []),
            ("watch a.json --until http.p", ["http.port="]),
            ("watch a.json --until=http.port=8", ["--until=http.port=8080"]),
        ])
    func assignments(line: String, expected: [String]) throws { #expect(try words(line) == expected) }

    @Test(
        "Options are completed before --, and their values after them",
        arguments: [
            ("get --r", ["--raw", "--redact="]), ("get -- --r", []), ("get --default --r", []), ("get --raw=", []),
            ("get --re=h a.json", []), ("--v", ["--version"]), ("ge", ["get"]), ("ge --", []),
            ("get --nothing a.json h", []),
            ("get -x a.json h", []), ("completion ", ["bash", "zsh", "fish"]), ("manual sess", ["sessionmirror"]),
        ])
    func options(line: String, expected: [String]) throws { #expect(try words(line) == expected) }

    @Test("The line is divided into words as by a shell, and nothing in it is executed")
    func lines() throws {
        try folder.write("my file.json", #"{"deep": 1}"#)
        for line in [
            #"sessionctl get my\ file.json d"#, #"sessionctl get 'my file.json' d"#,
            #"sessionctl get "my file.json" d"#,
            #"A=1 B=2 sessionctl get 'my file'.json d"#, #"cat x | sessionctl get my" "file.json d"#,
            #"x; sessionctl get my\ file.json 2>/dev/null d"#, #"(sessionctl get my\ file.json d"#,
        ] {
            #expect(try bash(line) == ["deep"], "\(line)")
        }
        #expect(try bash("sessionctl get $(touch x) `touch y` d") == [])
        #expect(try folder.names() == ["a.json", "my file.json"])
        let home = try Program.sessionctl.run(
            ["complete", "bash", "sessionctl get ~/a.json h"], in: folder, environment: ["HOME": folder.path])
        #expect(home.output == "part http.\n")
    }

    @Test("For bash, candidates are quoted, and omit what bash keeps of the word") func bashQuoting() throws {
        #expect(try bash("sessionctl get a.json /$") == [#"/\$\(x\)"#])
        #expect(try bash("sessionctl get a.json '/$") == ["/$(x)"])
        #expect(try bash("sessionctl get a.json /\\$") == [#"/\$\(x\)"#])
        #expect(try bash("sessionctl get a.json \"/\\$") == [#"/\$(x)"#])
        #expect(try bash("sessionctl watch a.json --until=http.port=8") == ["8080"])
        #expect(try bash("sessionctl set a.json http.host=") == [#"\"local\ host\""#])
        #expect(try bash("sessionctl set a.json http.host='") == [#""local host""#])
        #expect(try bash("sessionctl get a.json 'htt") == ["http.port", "http.host", "http.tls."])
    }

    @Test("Nothing is printed for what cannot be read, and nothing blocks") func unreadable() throws {
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try folder.write("bad.json", "{")
        try #require(truncate(folder.path(of: "a.json"), 1 << 40) == 0)
        for name in ["pipe", "bad.json", "a.json", "missing.json", "/dev/zero", "/", "-"] {
            #expect(try words("get \(name) h") == [], "\(name)")
        }
        #expect(try folder.sessionctl("complete", "fish", "") == Program.Result(code: 0))
    }

    @Test("Of thousands of keys, only the common beginning is offered") func manyKeys() throws {
        let members = (10_000..<20_000).map { "\"key\($0)\": 1" }.joined(separator: ",")
        try folder.write("many.json", "{\(members)}")
        #expect(try words("get many.json ") == ["key1"])
        #expect(try words("get many.json key1") == [])
        #expect(try words("get many.json key1000").count == 10)
    }
}
