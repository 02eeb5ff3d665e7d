import TestSupport
import Testing

@Suite("Habits of other tools")
struct HabitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("server.json", "{\"http\": {\"port\": 80, \"hosts\": [[1]]}, \"[0]\": 2}")
    }

    @Test(
        "A path in the style of jq is answered with the path to write",
        arguments: [(".http.port", "http.port"), (".http.hosts[0][0]", "http.hosts.0.0"), (".x", "x")])
    func leadingDot(path: String, written: String) throws {
        for arguments in [["get"], ["keys"], ["unset"], ["watch"]] {
            let result = try Program.sessionctl.run(arguments + ["server.json", path], in: folder)
            #expect(result.code == 2)
            #expect(result.messages.hasPrefix("sessionctl: PATH: \"\(path)\" begins with a dot; write \(written)\n"))
        }
    }

    @Test("The path of jq for the whole value is answered with the path to write") func dot() throws {
        let result = try folder.sessionctl("get", "server.json", ".")
        #expect(result.messages.hasPrefix("sessionctl: PATH: \".\" is not a path; for the whole value, write ''\n"))
        #expect(try folder.sessionctl("get", "server.json", "") == folder.sessionctl("get", "server.json"))
    }

    @Test("An index in brackets is answered with the path to write, if there is a value")
    func brackets() throws {
        for (path, written) in [("http.hosts[0]", "http.hosts.0"), ("http.hosts[0][0]", "http.hosts.0.0")] {
            for command in ["get", "type", "unset"] {
                let result = try folder.sessionctl(command, "server.json", path)
                #expect(result.code == 1 && result.messages.hasSuffix("; write \(written)\n"), "\(result)")
            }
        }
        let far = try folder.sessionctl("get", "server.json", "http.hosts[7]")
        #expect(
            far.messages
                == "sessionctl: server.json: no value at http.hosts[7]: http.hosts is an array of 1 element, 0\n")
        // A key of such a form is found.
        #expect(try folder.sessionctl("get", "server.json", "[0]") == Program.Result(code: 0, output: "2\n"))
    }

    @Test("An index in brackets and an asterisk do not become keys") func keys() throws {
        for arguments in [
            ["set", "server.json", "http.hosts[0]", "1"], ["set", "server.json", "http.hosts[0]=1"],
            ["add", "server.json", "http.hosts[0]", "1"],
        ] {
            let result = try Program.sessionctl.run(arguments, in: folder)
            #expect(result.code == 1 && result.messages.hasSuffix("; write http.hosts.0\n"), "\(result)")
        }
        #expect(try folder.sessionctl("set", "server.json", "http.hosts[7]", "1").code == 1)
        for (path, written) in [
            ("http.hosts[1]", "http.hosts.1"), ("http.hosts[1].a", "http.hosts.1.a"), ("http.hosts[]", "http.hosts.-"),
            ("http[\"port\"]", "http.port"),
        ] {
            let result = try folder.sessionctl("set", "server.json", path, "1")
            #expect(result.code == 1 && result.messages.hasSuffix("; write \(written)\n"), "\(result)")
        }
        #expect(try folder.sessionctl("set", "server.json", "http.hosts[].port", "1").code == 1)
        for command in ["set", "add", "keys"] {
            let result = try Program.sessionctl.run(
                [command, "server.json", "*.port"] + (command == "keys" ? [] : ["1"]), in: folder)
            #expect(result.code == 2 && result.messages.contains("write /*/port for the key *\n"), "\(result)")
        }
        #expect(try folder.sessionctl("set", "server.json", "/*", "1").code == 0)
        #expect(try folder.sessionctl("set", "server.json", "new[0]", "1").code == 0)
    }

    @Test(
        "A path in the style of other tools is answered with the path to write, if there is a value",
        arguments: [
            ("http/port", "http.port"), ("$.http.port", "http.port"), ("$.http.hosts[0]", "http.hosts.0"),
            ("http/hosts/0", "http.hosts.0"), ("$", ""), ("http/none", nil),
        ])
    func otherTools(path: String, written: String?) throws {
        let result = try folder.sessionctl("get", "server.json", path)
        #expect(result.code == 1, "\(result)")
        let advice = written.map { $0.isEmpty ? "; for the whole value, write ''\n" : "; write \($0)\n" }
        #expect(advice.map(result.messages.hasSuffix) ?? !result.messages.contains("; write"), "\(result)")
    }

    @Test(
        "A key with dots is answered with the path to write",
        arguments: ["hosts.example.org.port", "hosts.\"example.org\".port", "hosts[\"example.org\"].port"])
    func dottedKeys(path: String) throws {
        try folder.write("hosts.json", "{\"hosts\": {\"example\": {}, \"example.org\": {\"port\": 80}}}")
        for command in ["get", "unset"] {
            let result = try folder.sessionctl(command, "hosts.json", path)
            #expect(result.code == 1 && result.messages.hasSuffix("; write /hosts/example.org/port\n"), "\(result)")
        }
        let none = try folder.sessionctl("get", "hosts.json", "hosts.example.net")
        #expect(none.code == 1 && !none.messages.contains("; write"), "\(none)")
    }

    @Test(
        "What only jq can do is answered so",
        arguments: [".[]", ".http.hosts[]", ".http|keys", ".http?", ".http[\"port\"]"])
    func language(path: String) throws {
        let result = try folder.sessionctl("get", "server.json", path)
        #expect(
            result.messages.contains(" begins with a dot; for the language of jq, write get FILE | jq\n"), "\(result)")
    }

    @Test("FILE after PATH is answered with the order to write") func order() throws {
        for arguments in [
            ["get", ".http", "server.json"], ["keys", "http", "server.json"], ["unset", "http", "server.json"],
            ["set", "http", "1", "server.json"], ["set", "http=1", "server.json"], ["add", "http", "1", "server.json"],
        ] {
            let result = try Program.sessionctl.run(arguments, in: folder)
            let path = arguments[1]
            let message = "there is no file \(path); FILE is the first operand: write server.json before \(path)\n"
            #expect(result.code == 2 && result.messages.hasPrefix("sessionctl: \(message)"), "\(result)")
        }
        // A new file may have a path that is the name of a file.
        #expect(try folder.sessionctl("set", "new.json", "server.json", "1").code == 0)
    }

    @Test("A word without quotes is answered with the string to write")
    func words() throws {
        let until = try folder.sessionctl("watch", "server.json", "--until", "http.host=nine")
        #expect(until.code == 2 && until.messages.contains("; for a string, write 'http.host=\"nine\"'\n"), "\(until)")
        let set = try folder.sessionctl("set", "server.json", "http.host", "nine")
        #expect(set.code == 2 && set.messages.contains("; use --string for a string\n"))
        #expect(try folder.sessionctl("set", "server.json", "a", "[1").messages.contains("for a string") == false)
    }
}
