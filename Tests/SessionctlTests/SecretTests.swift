import TestSupport
import Testing

@Suite("Secrets in the output of sessionctl") struct SecretTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", "{\n  \"users\": {\"ann\": {\"key\": \"hunter2\"}},\n  \"port\": 1\n}\n")
    }

    @Test("diff prints a changed secret without its values") func diff() throws {
        try folder.put("b.json", #"{"users": {"ann": {"key": "hunter3"}, "bob": {"key": "hunter4"}}, "port": 2}"#)
        let result = try folder.sessionctl("diff", "--redact=users.*.key", "a.json", "b.json")
        #expect(
            result.output == """
                ~ users.ann.key: "<redacted>" → "<redacted>"
                + users.bob: {"key":"<redacted>"}
                ~ port: 1 → 2

                """)
        let json = try folder.sessionctl("diff", "--json", "--redact=users.*.key", "a.json", "b.json")
        #expect(json.output.contains("users/bob") && !json.output.contains("hunter"), "\(json.output)")
        try folder.put("b.json", #"{"users": {"ann": {"key": hunter3}}}"#)
        let invalid = try folder.sessionctl("diff", "--redact=users.*.key", "a.json", "b.json")
        #expect(
            invalid.messages == "b.json:1:27: error: expected a value, found <redacted>; strings need double quotes\n")
    }

    @Test("check prints no lines of a file with secrets") func check() throws {
        try folder.put("b.json", #"{"key": hunter2}"#)
        try folder.put("c.json", #"{"key": "hunter2", "key": "hunter3"}"#)
        let result = try folder.sessionctl("check", "--redact", "key", "b.json", "c.json")
        #expect(
            result.messages == """
                b.json:1:9: error: expected a value, found <redacted>; strings need double quotes
                c.json:1:20: warning: duplicate key "key"; the earlier one at 1:2 is ignored

                """)
        #expect(result.code == 1)
    }

    @Test("watch prints a changed secret without its values") func watch() throws {
        let watch = try WatchProcess("a.json", "--redact=users.*.key", "--redact", "pin", in: folder)
        #expect(try watch.line() == "a.json: watching")
        try folder.put("a.json", "{\n  \"users\": {\"ann\": {\"key\": \"hunter3\"}},\n  \"port\": 1\n}\n")
        #expect(try watch.line() == "a.json:2: users.ann.key: \"<redacted>\" → \"<redacted>\"")
        try folder.put("a.json", "{\n  \"users\": {\"ann\": {\"key\": hunter3}},\n  \"port\": 1\n}\n")
        #expect(
            try watch.line() == "a.json:2:28: error: expected a value, found <redacted>; strings need double quotes")
    }

    @Test("watch --json and --until print a secret without its value") func watchJSON() throws {
        let secret = "--redact=users.*.key"
        let result = try folder.sessionctl(
            "watch", "a.json", "--json", secret, "--timeout=0", "--until", #"users.ann.key="hunter9""#)
        #expect(result.output.contains(#""key":"<redacted>""#), "\(result)")
        #expect(result.messages.contains(#"users.ann.key is "<redacted>", not "<redacted>""#), "\(result)")
        #expect(!(result.output + result.messages).contains("hunter"), "\(result)")
    }

    @Test("Commands that edit print no secrets, neither of an invalid file nor of conflicts and results") func editing()
        throws
    {
        try folder.put("b.json", #"{"key": hunter2}"#)
        let message = "b.json:1:9: error: expected a value, found <redacted>; strings need double quotes\n"
        for words in [
            ["set", "b.json", "a", "1"], ["unset", "b.json", "a"], ["add", "b.json", "a", "1"], ["get", "b.json", "a"],
            ["format", "b.json"], ["format", "--check", "b.json"],
        ] {
            let result = try Program.sessionctl.run(words + ["--redact=key"], in: folder)
            #expect(result.code == 1 && result.messages == message, "\(words): \(result)")
        }
        let pipe = try folder.sessionctl("set", "-", "a", "1", "--redact=key", input: Array(#"{"key": hunter2}"#.utf8))
        #expect(pipe.messages == message.replacing("b.json", with: "<stdin>"), "\(pipe)")
        try folder.put("base.json", #"{"key": "hunter1"}"#)
        try folder.put("ours.json", #"{"key": "hunter2"}"#)
        try folder.put("theirs.json", #"{"key": "hunter3"}"#)
        let merged = try folder.sessionctl("merge", "--redact=key", "base.json", "ours.json", "theirs.json")
        #expect(merged.code == 1 && merged.messages.contains(#"ours "<redacted>" (kept)"#), "\(merged)")
        #expect(!merged.messages.contains("hunter"))
        let value = try folder.sessionctl("get", "--redact=users.*.key", "a.json", "users")
        #expect(value.output.contains("<redacted>") && !value.output.contains("hunter"), "\(value)")
        let missing = try folder.sessionctl("get", "--redact=users", "a.json", "users.x")
        #expect(missing.code == 1 && !missing.messages.contains("ann"), "\(missing)")
        try folder.put("pin.json", #"{"pin": 1234}"#)
        let sum = try folder.sessionctl("add", "--redact=pin", "pin.json", "pin", "1")
        #expect(try sum.output == "\"<redacted>\"\n" && folder.read("pin.json") == #"{"pin": 1235}"#)
    }

    @Test(
        "A path in the style of jq, which would hide nothing, is answered with the path to write",
        arguments: [
            ("users[].key", "has brackets; write users.*.key,"), ("users[0].key", "has brackets; write users.0.key,"),
            (".users[*].key", "has brackets; write users.*.key,"),
            ("users[\"ann\"].key", "has brackets; write users.ann.key,"),
            (".users.ann.key", "begins with a dot; write users.ann.key\n"),
            (".users.*.key", "begins with a dot; write users.*.key\n"),
        ])
    func otherTools(path: String, advice: String) throws {
        let result = try folder.sessionctl("get", "--redact", path, "a.json")
        let message = "sessionctl: --redact: \"\(path)\" \(advice)"
        #expect(result.code == 2 && result.output == "" && result.messages.hasPrefix(message), "\(result)")
        try folder.put("brackets.json", #"{"users[]": 1}"#)
        #expect(
            try folder.sessionctl("get", "--redact", "/users[]", "brackets.json", "users[]").output
                == "\"<redacted>\"\n")
    }

    @Test("An invalid path is a usage error") func invalid() throws {
        let result = try folder.sessionctl("check", "--redact=/~9", "a.json")
        #expect(result.code == 2 && result.messages.contains("--redact: "), "\(result)")
    }
}
