import TestSupport
import Testing

@Suite("sessionctl watch for people")
struct WatchLineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
    }

    @Test("shows the line, the path, the old and the new value")
    func changes() throws {
        let watching = try Watching("a.json", in: folder)
        #expect(try watching.line() == "a.json: watching")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 9090, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        #expect(try watching.line() == "a.json:2: http.port: 8080 → 9090")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 9090},\n  \"a.b\": 1.50\n}\n")
        #expect(try watching.line() == "a.json: http.host: \"x\" → (none)")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 9090},\n\n  \"a.b\": {\"c\": [1, null]}\n}\n")
        #expect(try watching.line() == "a.json:4: /a.b: 1.50 → {\"c\":[1,null]}")
        try folder.put(
            "a.json", "{\n  \"http\": {\"port\": 9090},\n\n  \"a.b\": {\"c\": [1, null], \"d\": true}\n}\n")
        #expect(try watching.line() == "a.json:4: /a.b/d: (none) → true")
        try folder.put("a.json", "[]")
        #expect(
            try watching.line()
                == "a.json:1: (the whole): {\"http\":{\"port\":9090},\"a.b\":{\"c\":[1,null],\"d\":true}} → []")
    }

    private func expectComplaint(about name: String, _ watching: Watching) throws {
        let complaint = try folder.sessionctl("check", name).messages.split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(complaint.count == 4)
        for line in complaint.dropLast() { #expect(try watching.line() == line) }
    }

    @Test("shows what is wrong as check does, and when it is good again")
    func problems() throws {
        let watching = try Watching("a.json", in: folder)
        #expect(try watching.line() == "a.json: watching")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080 \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        try expectComplaint(about: "a.json", watching)
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        #expect(try watching.line() == "a.json: good again")
        try folder.put("a.json", "")
        try expectComplaint(about: "a.json", watching)
        try folder.remove("a.json")
        #expect(try watching.line() == "a.json: there is no such file; waiting for one")
        try folder.put("a.json", "{\n  \"http\": {\"port\": 8080, \"host\": \"x\"},\n  \"a.b\": 1.50\n}\n")
        #expect(try watching.line() == "a.json: the file is there")
    }

    @Test("begins with what is the matter")
    func start() throws {
        try folder.put("bad.json", "[1,\n 2 3]")
        let bad = try Watching("bad.json", in: folder)
        #expect(try bad.line() == "bad.json: watching")
        try expectComplaint(about: "bad.json", bad)
        try folder.put("bad.json", "[1]")
        #expect(try bad.line() == "bad.json:1: (the whole): {} → [1]")
        #expect(try bad.line() == "bad.json: good again")
        let missing = try Watching("missing.json", in: folder)
        #expect(try missing.line() == "missing.json: watching")
        #expect(try missing.line() == "missing.json: there is no such file; waiting for one")
    }

    @Test("shows nothing that a terminal might obey, and cuts what is too long to read")
    func oddTexts() throws {
        try folder.put("a\u{1B}[1m.json", #"{"a": 1}"#)
        let watching = try Watching("a\u{1B}[1m.json", in: folder)
        #expect(try watching.line() == "a\u{FFFD}[1m.json: watching")
        let long = String(repeating: "x", count: 1000)
        try folder.put("a\u{1B}[1m.json", "{\"a\": 1, \"\u{202E}b\u{7F}\": \"\(long)\"}")
        let cut = "\"" + String(repeating: "x", count: 199) + "…"
        #expect(try watching.line() == "a\u{FFFD}[1m.json:1: \u{FFFD}b\u{FFFD}: (none) → \(cut)")
    }

    @Test("shows only what is at, below or above the paths that are given")
    func paths() throws {
        let watching = try Watching("a.json", "http.port", "/x/y", in: folder)
        #expect(try watching.line() == "a.json: watching http.port, x.y")
        try folder.put("a.json", #"{"http": {"port": 8080, "host": "y", "ports": 1}, "a.b": 2, "xx": 1}"#)
        try folder.put("a.json", #"{"http": {"port": {"tls": 1}, "host": "z"}, "a.b": 3}"#)
        #expect(try watching.line() == #"a.json:1: http.port: 8080 → {"tls":1}"#)
        try folder.put("a.json", #"{"http": {"port": {"tls": 2}, "host": "z"}, "a.b": 3}"#)
        #expect(try watching.line() == "a.json:1: http.port.tls: 1 → 2")
        try folder.put("a.json", #"{"a.b": 3}"#)
        #expect(try watching.line() == #"a.json: http: {"port":{"tls":2},"host":"z"} → (none)"#)
        try folder.put("a.json", #"{"a.b": 3, "x": []}"#)
        #expect(try watching.line() == "a.json:1: x: (none) → []")
        try folder.put("a.json", #"{"a.b": }"#)
        #expect(try watching.line().hasPrefix("a.json:1:9: error: "))
    }
}
