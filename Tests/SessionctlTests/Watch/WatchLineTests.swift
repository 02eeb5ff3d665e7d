import TestSupport
import Testing

@Suite("Text output of sessionctl watch")
struct WatchLineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
    }

    @Test("watch prints the line, the path, the old and the new value of a change")
    func changes() throws {
        let watch = try WatchProcess("a.json", in: folder)
        #expect(try watch.line() == "a.json: watching")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 9090, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        #expect(try watch.line() == "a.json:2: http.port: 8080 → 9090")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 9090},\n  \"a.b\": 1.50\n}\n")
        #expect(try watch.line() == "a.json: http.host: \"x\" → (none)")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 9090},\n\n  \"a.b\": {\"c\": [1, null]}\n}\n")
        #expect(try watch.line() == "a.json:4: /a.b: 1.50 → {\"c\":[1,null]}")
        try folder.put(
            "a.json", "{\n  \"http\": {\"port\": 9090},\n\n  \"a.b\": {\"c\": [1, null], \"d\": true}\n}\n")
        #expect(try watch.line() == "a.json:4: /a.b/d: (none) → true")
        try folder.put("a.json", "[]")
        #expect(
            try watch.line()
                == "a.json:1: (root): {\"http\":{\"port\":9090},\"a.b\":{\"c\":[1,null],\"d\":true}} → []")
    }

    private func expectErrorReport(of name: String, _ watch: WatchProcess) throws {
        let report = try folder.sessionctl("check", name).messages.split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(report.count == 4)
        for line in report.dropLast() { #expect(try watch.line() == line) }
    }

    @Test("watch prints errors like check and reports when the file is valid again")
    func problems() throws {
        let watch = try WatchProcess("a.json", in: folder)
        #expect(try watch.line() == "a.json: watching")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080 \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        try expectErrorReport(of: "a.json", watch)
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        #expect(try watch.line() == "a.json can be used again")
        try folder.put("a.json", "{")
        try expectErrorReport(of: "a.json", watch)
        try folder.remove("a.json")
        #expect(try watch.line() == "a.json: no such file; waiting for it")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        #expect(try watch.line() == "a.json: the file exists")
    }

    @Test("watch reports an invalid or missing file at the start")
    func start() throws {
        try folder.put("bad.json", "[1,\n 2 3]")
        let bad = try WatchProcess("bad.json", in: folder)
        #expect(try bad.line() == "bad.json: watching")
        try expectErrorReport(of: "bad.json", bad)
        try folder.put("bad.json", "[1]")
        #expect(try bad.line() == "bad.json can be used again")
        #expect(try bad.line() == "bad.json:1: (root): {} → [1]")
        let missing = try WatchProcess("missing.json", in: folder)
        #expect(try missing.line() == "missing.json: watching")
        #expect(try missing.line() == "missing.json: no such file; waiting for it")
    }

    @Test("watch says once that a file can be used again, before the changes, and does not count it")
    func recovery() throws {
        let watch = try WatchProcess("a.json", "--count", "3", in: folder)
        #expect(try watch.line() == "a.json: watching")
        try folder.put("a.json", "{")
        try expectErrorReport(of: "a.json", watch)
        try folder.put("a.json", #"{"http": {"port": 1, "host": "x"}, "a.b": 2}"#)
        #expect(try watch.line() == "a.json can be used again")
        #expect(try watch.line() == "a.json:1: http.port: 8080 → 1")
        #expect(try watch.line() == "a.json:1: /a.b: 1.50 → 2")
        try folder.remove("a.json")
        #expect(try watch.line() == "a.json: no such file; waiting for it")
        try folder.put("a.json", #"{"http": {"port": 2, "host": "x"}, "a.b": 2}"#)
        #expect(try watch.line() == "a.json: the file exists")
        #expect(try watch.line() == "a.json:1: http.port: 1 → 2")
        try watch.end(code: 0)
    }

    @Test("watch replaces control characters and truncates long values")
    func hostileText() throws {
        try folder.put("a\u{1B}[1m.json", #"{"a": 1}"#)
        let watch = try WatchProcess("a\u{1B}[1m.json", in: folder)
        #expect(try watch.line() == "a\u{FFFD}[1m.json: watching")
        let long = String(repeating: "x", count: 1000)
        try folder.put("a\u{1B}[1m.json", "{\"a\": 1, \"\u{202E}b\u{7F}\": \"\(long)\"}")
        let cut = "\"" + String(repeating: "x", count: 198) + "…"
        #expect(try watch.line() == "a\u{FFFD}[1m.json:1: \u{FFFD}b\u{FFFD}: (none) → \(cut)")
    }

    @Test("watch with paths prints only changes at, below or above them")
    func paths() throws {
        let watch = try WatchProcess("a.json", "http.port", "/x/y", in: folder)
        #expect(try watch.line() == "a.json: watching http.port, x.y")
        try folder.put("a.json", #"{"http": {"port": 8080, "host": "y", "ports": 1}, "a.b": 2, "xx": 1}"#)
        try folder.put("a.json", #"{"http": {"port": {"tls": 1}, "host": "z"}, "a.b": 3}"#)
        #expect(try watch.line() == #"a.json:1: http.port: 8080 → {"tls":1}"#)
        try folder.put("a.json", #"{"http": {"port": {"tls": 2}, "host": "z"}, "a.b": 3}"#)
        #expect(try watch.line() == "a.json:1: http.port.tls: 1 → 2")
        try folder.put("a.json", #"{"a.b": 3}"#)
        #expect(try watch.line() == #"a.json: http: {"port":{"tls":2},"host":"z"} → (none)"#)
        try folder.put("a.json", #"{"a.b": 3, "x": []}"#)
        #expect(try watch.line() == "a.json:1: x: (none) → []")
        try folder.put("a.json", #"{"a.b": }"#)
        #expect(try watch.line().hasPrefix("a.json:1:9: error: "))
    }
}
