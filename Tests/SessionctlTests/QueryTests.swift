import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl get with several values, keys, type, count")
struct QueryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "server.json",
            """
            {
              "http": { "port": 80, "hosts": ["a", "b"], "tls": null, "on": true },
              "admin": { "port": 81 },
              "*": { "port": 82 },
              "quote": "it's \\"x\\" $HOME `id` \\\\ é", "lines": "x\\ny", "bad-name": 1, "admin_port": 83, "nul": "\\u0000"
            }
            """)
    }

    private func output(_ arguments: String...) throws -> String {
        let result = try Program.sessionctl.run(arguments, in: folder)
        #expect(result.code == 0 && result.messages == "", "\(result)")
        return result.output
    }

    @Test("get prints the values of several paths, in their order")
    func several() throws {
        #expect(try output("get", "server.json", "http.port", "http.hosts", "admin.port") == "80\n[\"a\", \"b\"]\n81\n")
        #expect(try output("get", "-r", "server.json", "http.hosts.1", "http.hosts.0") == "b\na\n")
    }

    @Test("An asterisk in a path stands for every key or index")
    func wildcards() throws {
        #expect(try output("get", "server.json", "*.port") == "80\n81\n82\n")
        #expect(try output("get", "server.json", "/*/port", "http.hosts.*") == "80\n81\n82\n\"a\"\n\"b\"\n")
        #expect(try output("get", "server.json", "/~2/port") == "82\n")
        let result = try folder.sessionctl("get", "server.json", "*.x")
        #expect(result == Program.Result(code: 1, messages: "sessionctl: server.json: no value at any *.x\n"))
    }

    @Test("get prints the values that there are, and reports each path without one; --default is printed instead")
    func missing() throws {
        let result = try folder.sessionctl("get", "server.json", "http.port", "x", "admin.port", "http.x")
        #expect(result.code == 1 && result.output == "80\n81\n")
        #expect(result.messages.split(separator: "\n").count == 2)
        #expect(try output("get", "--default", "[0]", "server.json", "x", "http.port", "*.x") == "[0]\n80\n[0]\n")
        #expect(try output("get", "--raw", "--default", "\"none\"", "server.json", "x") == "none\n")
        let word = try folder.sessionctl("get", "--default", "none", "server.json", "x")
        #expect(word.code == 2 && word.messages.contains("; for a string, write '\"none\"'\n"), "\(word)")
    }

    @Test("A shell reads what --shell and --env print, whatever the values are", arguments: ["--shell", "--env"])
    func assignments(option: String) throws {
        let script = """
            set -e
            assignments=$("$0" get \(option) APP server.json http quote)
            eval "$assignments"
            printf '%s|' "$APP_http_port" "$APP_http_hosts_1" "$APP_http_tls" "$APP_http_on" "$APP_quote"
            """
        let result = try folder.shell(script)
        #expect(result == Program.Result(code: 0, output: "80|b||true|it's \"x\" $HOME `id` \\ é|"), "\(result)")
    }

    @Test("No value ends its quotes, whatever follows a special character", arguments: ["--shell", "--env"])
    func hostileValues(option: String) throws {
        for special in ["'", "\"", "\\", "$", "`", "$(", "\r\n"] {
            for mark in ["", "\u{301}", "\u{200D}", "\u{FE0F}"] where option == "--shell" || special != "\r\n" {
                let value = "\(special)\(mark); touch pwned; echo \(special)\(mark)"
                try folder.write("hostile.json", JSON.object(["a": JSON(value)]).description)
                let script = "eval \"$(\"$0\" get hostile.json \(option) A)\"; printf '%s|' \"$A_a\"; test ! -e pwned"
                let result = try folder.shell(script)
                #expect(result.code == 0 && result.output == value + "|", "\(result)")
            }
        }
    }

    @Test("Assignments have one name each, which a shell accepts")
    func names() throws {
        #expect(try output("get", "--shell", "", "server.json", "admin") == "admin_port='81'\n")
        #expect(try output("get", "--env", "A", "server.json", "admin") == "A_admin_port=\"81\"\n")
        #expect(try output("get", "--shell", "X", "server.json", "lines") == "X_lines='x\ny'\n")
        for (arguments, reason) in [
            (
                ["--shell", "A", "bad-name"],
                "\"bad-name\" cannot be assigned to \"A_bad-name\", which is not a name for a variable; leave it out"
            ),
            (
                ["--shell", "A", "admin", "admin_port"],
                "\"admin_port\" and \"admin.port\" would both be assigned to A_admin_port; print one with another PREFIX"
            ),
            (["--env", "A", "lines"], "\"lines\" contains a line end, which an environment file cannot have"),
            (["--shell", "A", "nul"], "\"nul\" contains NUL, which no variable can have"),
        ] {
            let result = try Program.sessionctl.run(
                ["get", "server.json", arguments[0], arguments[1]] + arguments.dropFirst(2), in: folder)
            #expect(result.code == 1 && result.output == "" && result.messages.contains(reason), "\(result)")
        }
        let both = try folder.sessionctl("get", "server.json", "--shell", "A", "--env", "A")
        #expect(both.code == 2 && both.messages.hasPrefix("sessionctl: --shell and --env exclude each other\n"))
        for option in ["--shell", "--env"] {
            for prefix in ["1", "A b", "my-app", "admin.port"] {
                let result = try folder.sessionctl("get", "server.json", option, prefix)
                let message = "\(option): \(prefix) cannot begin the name of a variable; PREFIX has ASCII letters, "
                #expect(result.code == 2 && result.messages.hasPrefix("sessionctl: \(message)"), "\(result)")
            }
        }
        try folder.write("number.json", "1")
        let root = try folder.sessionctl("get", "number.json", "--shell", "")
        #expect(root.messages.hasSuffix("; give another PREFIX\n"))
        #expect(
            try output("get", "--shell", "A", "server.json", "admin.port", "admin", "/admin/port")
                == "A_admin_port='81'\n")
        let wildcard = try folder.sessionctl("get", "server.json", "*.x", "--default", "0", "--shell", "A")
        #expect(wildcard.code == 1 && wildcard.messages.contains("--default has no name for a PATH with an asterisk"))
    }

    @Test("Values at redacted paths are hidden in each format")
    func redacted() throws {
        #expect(
            try output("get", "--redact", "quote", "--shell", "A", "server.json", "quote") == "A_quote='<redacted>'\n")
        #expect(
            try output("get", "--redact", "*.port", "-r", "server.json", "*.port")
                == "<redacted>\n<redacted>\n<redacted>\n")
        #expect(try output("type", "--redact", "http.port", "server.json", "http.port") == "string\n")
        for command in ["keys", "count"] {
            #expect(try folder.sessionctl(command, "--redact", "http", "server.json", "http").code == 1)
        }
    }

    @Test("A terminal receives no control characters", .needs(.script)) func terminal() throws {
        try folder.write("escape.json", "{\"a\": \"\\u001b[31m\\u0007\", \"\\u200b\": 1}")
        for command in [
            "get escape.json a --shell A", "get escape.json a --env A", "keys escape.json", "keys --json escape.json",
        ] {
            let result = try Programs.script.program.run(
                ["-qec", "'\(Program.sessionctl.path)' \(command)", "/dev/null"], in: folder)
            #expect(
                !result.output.unicodeScalars.contains { "\u{1B}\u{7}\u{200B}".unicodeScalars.contains($0) },
                "\(result)")
        }
    }

    @Test("keys, type and count describe the value at a path, or the whole value")
    func descriptions() throws {
        #expect(try output("keys", "server.json", "http") == "port\nhosts\ntls\non\n")
        #expect(try output("keys", "server.json", "http.hosts") == "0\n1\n")
        #expect(try output("keys", "--json", "server.json", "http") == "[\"port\",\"hosts\",\"tls\",\"on\"]\n")
        for (path, type) in [
            ("http", "object"), ("http.hosts", "array"), ("http.port", "number"), ("quote", "string"),
            ("http.on", "boolean"), ("http.tls", "null"), ("", "object"),
        ] {
            #expect(try output("type", "server.json", path) == "\(type)\n")
        }
        #expect(
            try output("count", "server.json", "http") == "4\n" && output("count", "server.json", "http.hosts") == "2\n"
        )
        #expect(try output("count", "server.json") == "8\n")
        for command in ["keys", "count"] {
            let result = try folder.sessionctl(command, "server.json", "http.port")
            let message = "sessionctl: server.json: \"http.port\" is a number, not an object or an array\n"
            #expect(result == Program.Result(code: 1, messages: message))
        }
        for command in ["keys", "type", "count"] {
            #expect(
                try folder.sessionctl(command, "server.json", "http.prot").messages.hasSuffix("nearest: \"port\"\n"))
        }
    }
}
