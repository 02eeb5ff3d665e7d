import TestSupport
import Testing

// Several values, comparisons, previews, and values from files.
extension SetTests {
    private func set(_ arguments: String..., input: String = "") throws -> Program.Result {
        try Program.sessionctl.run(["set", "a.json"] + arguments, in: folder, input: .bytes(Array(input.utf8)))
    }

    @Test("Several values are set in one step, or none of them") func several() throws {
        #expect(try set("http.port=1", "list.-1=0", "new=\"x=y\"").code == 1)
        #expect(try folder.read("a.json") == settings)
        #expect(try set("http.port=1", "list.0=0", "new=\"x=y\"") == Program.Result(code: 0))
        let expected = settings.replacing("8080", with: "1").replacing("[1, 2]", with: "[0, 2],\n  \"new\": \"x=y\"")
        #expect(try folder.read("a.json") == expected)
    }

    @Test(
        "The path of PATH=JSON ends at the first equals sign that valid JSON follows; with --string at the first",
        arguments: [
            (["a=b=1"], "a=b", "1"), (["a=\"b=1\""], "a", "\"b=1\""), (["--string", "a=b=1"], "a", "\"b=1\""),
            (["-s", "a="], "a", "\"\""), (["a", "1"], "a", "1"), (["-s", "a", "b=1"], "a", "\"b=1\""),
            (["a=b", "1"], "a=b", "1"), (["/a=", "1"], "/a=", "1"), (["--from=value", "/a=b"], "/a=b", "1"),
        ] as [([String], String, String)])
    func equalsSigns(arguments: [String], path: String, value: String) throws {
        try folder.write("value", "1")
        let result = try Program.sessionctl.run(["set", "a.json"] + arguments, in: folder)
        #expect(result == Program.Result(code: 0))
        #expect(try folder.sessionctl("get", "a.json", path).output == value + "\n")
    }

    @Test("--if sets a value only if it is the given one") func comparing() throws {
        let other = try set("--if", "80", "http.port", "1")
        #expect(other == Program.Result(code: 1, messages: "sessionctl: a.json: http.port is 8080, not 80\n"))
        #expect(try folder.read("a.json") == settings)
        #expect(try set("--if", "8080.0", "http.port=1") == Program.Result(code: 0))
        #expect(try folder.read("a.json") == settings.replacing("8080", with: "1"))
        #expect(try set("--if", "1", "http.x", "2").messages.contains("no value at http.x: "))
        #expect(try set("--if", "1", "a=1", "b=2").messages.hasPrefix("sessionctl: --if needs a single PATH\n"))
        let secret = try set("--if", "2", "--redact", "http.port", "http.port", "3")
        #expect(secret.messages == "sessionctl: a.json: http.port is \"<redacted>\", not \"<redacted>\"\n")
    }

    @Test("What fails creates no file, and a preview fails where setting would") func missing() throws {
        for arguments in [
            ["new.json", "--if", "1", "a", "2"], ["new.json", "a=1", "a.b=2"], ["-n", "no/new.json", "a", "1"],
            ["-n", "", "a", "1"],
        ] {
            let result = try Program.sessionctl.run(["set"] + arguments, in: folder)
            #expect(result.code == 1 || result.code == 3, "\(result)")
        }
        #expect(try folder.names() == ["a.json"])
    }

    @Test("An error after the first of several values is about the value that it would have") func laterErrors() throws
    {
        let result = try set("n={\"q\":1}", "n.q.c=2")
        #expect(result.code == 1 && result.messages.contains("n.q is a number"), "\(result)")
        let root = try set("=5")
        #expect(root.code == 2 && root.messages.hasPrefix("sessionctl: PATH is missing before =; "))
        #expect(try folder.read("a.json") == settings)
    }

    @Test(
        "With --redact, errors about a value do not show it",
        arguments: [["pw=hunter3"], ["pw", "hunter3"], ["--if", "hunter3", "pw", "1"]])
    func secret(arguments: [String]) throws {
        let result = try Program.sessionctl.run(["set", "a.json", "--redact", "pw"] + arguments, in: folder)
        #expect(result.code == 2 && !result.messages.contains("hunter") && result.messages.contains("not valid JSON"))
    }

    @Test("Of many processes that compare and set, one succeeds for each value") func racing() throws {
        let script = """
            count() { for i in 1 2 3 4 5; do
                until value=$("$0" get a.json n); "$0" set a.json --if "$value" n=$((value + 1)) 2>>log; do :; done
            done; }
            "$0" set a.json n=0
            for process in 1 2 3 4; do count & done; wait; "$0" get a.json n
            """
        #expect(try folder.shell(script) == Program.Result(code: 0, output: "20\n"))
    }

    @Test("--dry-run prints the differences and changes nothing") func preview() throws {
        let result = try set("--dry-run", "http.port=1", "list=[]", "http.on=true")
        #expect(
            result
                == Program.Result(
                    code: 0, output: "~ http.port: 8080 → 1\n+ http.on: true\n- list.1: 2\n- list.0: 1\n"))
        #expect(try folder.read("a.json") == settings)
        #expect(try set("-n", "http.port", "8080") == Program.Result(code: 0))
        #expect(
            try set("-n", "--redact", "http.port", "http.port", "1").output
                == "~ http.port: \"<redacted>\" → \"<redacted>\"\n")
        #expect(try folder.sessionctl("set", "-n", "new.json", "a", "1") == Program.Result(code: 0, output: "+ a: 1\n"))
        #expect(try folder.names() == ["a.json"])
        #expect(try set("-n", "--if", "1", "http.port", "2").code == 1)
        try folder.write("bad.json", "{")
        #expect(try folder.sessionctl("set", "-n", "bad.json", "a", "1").messages.hasPrefix("bad.json:1:2: error: "))
    }

    @Test("--from reads the value from a file or from standard input, as JSON or as a string") func reading() throws {
        try folder.write("value.jsonc", "// mine\n{ \"on\": true, }\n")
        #expect(try set("--from", "value.jsonc", "http.tls") == Program.Result(code: 0))
        #expect(try set("--from", "-", "list", input: "[3]") == Program.Result(code: 0))
        #expect(try set("--from", "-", "-s", "text", input: "a\n\"b\"\n") == Program.Result(code: 0))
        #expect(
            try folder.sessionctl("get", "a.json", "http.tls.on", "list", "text").output
                == "true\n[3]\n\"a\\n\\\"b\\\"\\n\"\n")
        let before = try folder.read("a.json")
        for (arguments, input, code, message) in [
            (["--from", "missing", "a"], "", 3, "sessionctl: missing: No such file or directory"),
            (["--from", "-", "a"], "[", 1, "<stdin>:1:2: error: "),
            (["--from", "-", "a", "1"], "", 2, "unexpected argument 1"),
        ] as [([String], String, Int32, String)] {
            let result = try Program.sessionctl.run(
                ["set", "a.json"] + arguments, in: folder, input: .bytes(Array(input.utf8)))
            #expect(result.code == code && result.messages.contains(message), "\(result)")
        }
        let bytes = try Program.sessionctl.run(
            ["set", "a.json", "--from", "-", "-s", "a"], in: folder, input: .bytes([0xFF]))
        #expect(bytes.code == 1 && bytes.messages == "sessionctl: <stdin> is not UTF-8, and cannot be a string\n")
        #expect(try folder.sessionctl("set", "-", "--from", "-", "a").messages.contains("can be read only once"))
        #expect(try folder.read("a.json") == before)
    }

    @Test("Operands that are neither a path and a value nor assignments are usage errors") func operands() throws {
        for (arguments, message) in [
            ([], "PATH is missing"), (["a"], "JSON is missing"),
            (["a", "1", "b"], "a is not PATH=JSON"), (["a=1", "b", "c=2"], "b is not PATH=JSON"),
            (["a.b=", "1"], "a.b= and its value are two operands: write a.b=1 or a.b JSON"),
            (["--redact", "a", "a=", "1"], "a= and its value are two operands: write PATH=JSON or a JSON"),
            (
                ["--from", "a.json", "a.b=1"],
                "--from takes a PATH only: write a.b; a key with an equals sign is written /a=b"
            ),
            (
                ["a=x"],
                "x is not valid JSON: expected a value, found \"x\"; strings need double quotes; for a string, write 'a=\"x\"'"
            ),
        ] as [([String], String)] {
            let result = try Program.sessionctl.run(["set", "a.json"] + arguments, in: folder)
            #expect(result.code == 2 && result.messages.hasPrefix("sessionctl: \(message)\n"), "\(result)")
        }
    }
}
