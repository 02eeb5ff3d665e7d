import TestSupport
import Testing

@Suite("sessionctl get")
struct GetTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "server.json",
            """
            {
              // Where it listens.
              "http": {"port": 8080, "host": "a\\tb", "paths": ["/", "/status", {"deep": [null]}]},
              "a.b": 1, "": 2, "-3": "minus three", "-1": {"5e3": true},
              "big": 1e400, "exact": 12345678901234567890123.10, "empty": {}, "none": [], "one": [0],
            }
            """)
    }

    @Test(
        "get prints a value as JSON and numbers with their spelling",
        arguments: [
            ("http.port", "8080"), ("/http/port", "8080"), ("http.host", "\"a\\tb\""), ("/a.b", "1"), ("/", "2"),
            ("big", "1e400"), ("exact", "12345678901234567890123.10"), ("http.paths.1", "\"/status\""),
            ("http.paths.2.deep.0", "null"), ("-1.5e3", "true"), ("empty", "{}"), ("none", "[]"), ("one", "[0]"),
        ])
    func value(path: String, printed: String) throws {
        #expect(try folder.sessionctl("get", "server.json", path) == Program.Result(code: 0, output: printed + "\n"))
    }

    @Test("get prints objects and nested arrays on several lines")
    func container() throws {
        let printed = """
            {
              "port": 8080,
              "host": "a\\tb",
              "paths": [
                "/",
                "/status",
                {
                  "deep": [null]
                }
              ]
            }

            """
        #expect(try folder.sessionctl("get", "server.json", "http") == Program.Result(code: 0, output: printed))
    }

    @Test("get prints the whole value without a path or with an empty path")
    func whole() throws {
        try folder.write("list.json", "[1,\n 2,]")
        #expect(try folder.sessionctl("get", "list.json") == Program.Result(code: 0, output: "[1, 2]\n"))
        #expect(try folder.sessionctl("get", "list.json", "") == Program.Result(code: 0, output: "[1, 2]\n"))
        try folder.write("scalar.json", " \"a\"  ")
        #expect(try folder.sessionctl("get", "scalar.json") == Program.Result(code: 0, output: "\"a\"\n"))
    }

    @Test("get --raw prints strings without quotes and other values unchanged")
    func raw() throws {
        #expect(
            try folder.sessionctl("get", "--raw", "server.json", "http.host")
                == Program.Result(code: 0, output: "a\tb\n"))
        #expect(
            try folder.sessionctl("get", "server.json", "http.port", "--raw")
                == Program.Result(code: 0, output: "8080\n"))
        #expect(
            try folder.sessionctl("get", "--raw", "server.json", "one") == Program.Result(code: 0, output: "[0]\n"))
    }

    @Test("get reads - from standard input")
    func standardInput() throws {
        let text = Array("{\"a\": [1, \"é\"]}".utf8)
        #expect(
            try folder.sessionctl("get", "-", "a.1", "--raw", input: text) == Program.Result(code: 0, output: "é\n"))
        let missing =
            "sessionctl: <stdin>: no value at b: the root is an object without the key \"b\"; nearest: \"a\"\n"
        #expect(try folder.sessionctl("get", "-", "b", input: text) == Program.Result(code: 1, messages: missing))
    }

    @Test("get accepts a negative number as a path", arguments: ["-3", "--|-3"])
    func negativeNumber(arguments: String) throws {
        let result = try Program.sessionctl.run(
            ["get", "server.json"] + arguments.split(separator: "|").map(String.init), in: folder)
        #expect(result == Program.Result(code: 0, output: "\"minus three\"\n"))
    }

    @Test(
        "get reports how much of a missing path exists and what value is there",
        arguments: [
            ("http.prot", "http is an object without the key \"prot\"; nearest: \"port\""),
            ("/http/pot/x", "http is an object without the key \"pot\"; nearest: \"port\""),
            ("HTTP", "the root is an object without the key \"HTTP\"; nearest: \"http\""),
            ("http.x", "http is an object without the key \"x\"; its keys: \"port\", \"host\", \"paths\""),
            (
                "colour",
                "the root is an object without the key \"colour\"; "
                    + "its 10 keys begin with: \"http\", \"a.b\", \"\", \"-3\", \"-1\""
            ),
            ("http.port.x", "http.port is a number"),
            ("http.host.0", "http.host is a string"),
            ("http.paths.2.deep.0.x", "http.paths.2.deep.0 is null"),
            ("http.paths.3", "http.paths is an array of 3 elements, 0 to 2"),
            ("http.paths.-1", "http.paths is an array of 3 elements, 0 to 2"),
            ("http.paths.01", "http.paths is an array of 3 elements, 0 to 2"),
            ("http.paths.99999999999999999999", "http.paths is an array of 3 elements, 0 to 2"),
            ("one.1", "one is an array of 1 element, 0"),
            ("none.0", "none is an empty array"),
            ("empty.x", "empty is an empty object"),
        ])
    func missing(path: String, reason: String) throws {
        let dotted = path.hasPrefix("/") ? path.dropFirst().split(separator: "/").joined(separator: ".") : path
        let message = "sessionctl: server.json: no value at \(dotted): \(reason)\n"
        #expect(try folder.sessionctl("get", "server.json", path) == Program.Result(code: 1, messages: message))
    }

    @Test("get keeps messages short for long paths and keys")
    func longNames() throws {
        let long = String(repeating: "x", count: 100_000)
        try folder.write("long.json", "{\"\(long)\": 1, \"\(long)y\": 2}")
        #expect(try folder.sessionctl("get", "long.json", long) == Program.Result(code: 0, output: "1\n"))
        let result = try folder.sessionctl("get", "long.json", "z.\(long)")
        #expect(result.code == 1)
        #expect(result.messages.utf8.count < 1_000)
    }

    @Test("get distinguishes an invalid path from a missing value", arguments: ["a..b", ".", "/a~3", "a."])
    func wrongPath(path: String) throws {
        let result = try folder.sessionctl("get", "server.json", path)
        #expect(result.code == 2)
        #expect(result.output == "")
        #expect(result.messages.hasPrefix("sessionctl: PATH: \"\(path)\" "))
        #expect(result.messages.contains("\nusage: sessionctl get [OPTION…] FILE [PATH…]\n"))
    }

    @Test("get reports invalid JSON like check and prints no warnings")
    func badJSON() throws {
        try folder.write("bad.json", "{\"a\": 1")
        let result = try folder.sessionctl("get", "bad.json", "a")
        #expect(result.code == 1)
        #expect(result.output == "")
        #expect(result.messages == (try folder.sessionctl("check", "bad.json")).messages)

        try folder.write("twice.json", "{\"a\": 1, \"a\": 2}")
        #expect(try folder.sessionctl("get", "twice.json", "a") == Program.Result(code: 0, output: "2\n"))
    }

    @Test("get requires a file") func operands() throws {
        let usage = "usage: sessionctl get [OPTION…] FILE [PATH…]\nmore: sessionctl get --help\n"
        #expect(
            try folder.sessionctl("get") == Program.Result(code: 2, messages: "sessionctl: FILE is missing\n" + usage))
    }
}
